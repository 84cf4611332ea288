/** Every route and every problem, from the contract. */
import * as z from "zod";
import { routes } from "../../src/contract/api/route.ts";
import { problems } from "../../src/contract/problem/problem.ts";
import { isSchema, type Schema, typeOf } from "./type-words.ts";

type Route = (typeof routes)[keyof typeof routes];

export const restPage = (): string =>
  `# REST

<!-- Written by \`npm run docs:reference\` from the contract. -->

Every route of the server. Requests carry the token as \`Authorization: Bearer …\`, bodies and answers are JSON, and every \`POST\` takes an \`Idempotency-Key\`: the same key with the same body gets the first answer again. A refusal is \`application/problem+json\` with one of the [codes](#problems) below. The rules are in [the spec](../spec/api.md); a running server has the whole document, with the shapes of the answers, at \`/openapi.json\`. The same routes as a typed client: [client.md](client.md).

${Object.entries(routes)
  .map(([name, route]) => section(name, route))
  .join("\n")}
## Problems

| code | status | what it means |
| --- | --- | --- |
${Object.entries(problems)
  .map(([code, [status, title]]) => `| \`${code}\` | ${status} | ${title} |`)
  .join("\n")}
`;

const section = (name: string, route: Route): string => {
  const traits: readonly string[] = "traits" in route ? route.traits : [];
  return [
    `## ${route.method} ${route.path.replaceAll("_", "\\_")}`,
    `${route.summary}. \`client.call("${name}", …)\`; answers with ${route.status}${answerWords(traits)}.`,
    ...("query" in route ? fieldsOf("Query", schemaOf(route.query)) : []),
    ...("body" in route ? fieldsOf("Body", schemaOf(route.body)) : []),
    "",
  ].join("\n\n");
};

const answerWords = (traits: readonly string[]): string => {
  if (traits.includes("stream")) return " and server-sent events";
  if (traits.includes("download")) return " and a file";
  if (traits.includes("upload")) return "; its body is a file";
  return traits.includes("open") ? "; needs no token" : "";
};

/** As a caller writes it: what has a default may be left out. */
const schemaOf = (schema: z.ZodType): Schema =>
  z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });

const fieldsOf = (title: string, schema: Schema): string[] => {
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) return [];
  const rows = fields.map(([name, value]) => {
    const field = isSchema(value) ? value : {};
    const isRequired = schema.required?.includes(name) === true;
    return `| \`${name}\`${isRequired ? " (required)" : ""} | ${cell(typeOf(field))} | ${defaultOf(field)} |`;
  });
  return [
    `| ${title} | type | default |\n| --- | --- | --- |\n${rows.join("\n")}`,
  ];
};

const defaultOf = (field: Schema): string =>
  field.default === undefined ? "" : cell(JSON.stringify(field.default));

/** As code, in a table. */
const cell = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;
