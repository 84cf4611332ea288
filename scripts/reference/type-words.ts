/** A JSON schema in a few words, as TypeScript would say it. */
import type * as z from "zod";

export type Schema = z.core.JSONSchema.BaseSchema;

/** How deep shapes within shapes are told. */
const DEPTH = 3;

export const typeOf = (schema: Schema, depth = DEPTH): string => {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined)
    return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  const several = schema.anyOf ?? schema.oneOf;
  if (several !== undefined) return union(several.filter(isSchema), depth);
  if (schema.type === "array") {
    const items = isSchema(schema.items) ? typeOf(schema.items, depth) : "any";
    return /[ |]/.test(items) ? `(${items})[]` : `${items}[]`;
  }
  if (schema.type === "object") return objectWords(schema, depth);
  return schema.type === undefined ? "any" : [schema.type].flat().join(" | ");
};

const union = (schemas: readonly Schema[], depth: number): string =>
  [...new Set(schemas.map((each) => typeOf(each, depth)))].join(" | ");

const objectWords = (schema: Schema, depth: number): string => {
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0)
    return isSchema(schema.additionalProperties)
      ? `Record<string, ${typeOf(schema.additionalProperties, depth - 1)}>`
      : "object";
  if (depth <= 1) return "{…}";
  const words = fields.map(([name, field]) => {
    const mark = schema.required?.includes(name) === true ? "" : "?";
    const type = isSchema(field) ? typeOf(field, depth - 1) : "any";
    return `${name}${mark}: ${type}`;
  });
  return `{ ${words.join("; ")} }`;
};

export const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
