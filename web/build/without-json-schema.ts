import type { Plugin } from "vite";

const FIRST = "export const stringProcessor = ";
const EXPORTED = /^export (?:const|function) (\w+)/gm;

/**
 * Every schema of zod can write itself down as JSON schema, which the server does for its OpenAPI document. The page never does: in its
 * build these functions are missing. A release of zod that keeps them elsewhere fails the build.
 */
export const withoutJsonSchema = (): Plugin => ({
  name: "without-json-schema",
  transform: {
    filter: {
      id: /\/node_modules\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js/,
    },
    handler(code, id) {
      // What comes before the first processor is about the limits of schemas, and is used.
      const isProcessors = id.includes("json-schema-processors");
      const from = isProcessors ? code.indexOf(FIRST) : 0;
      const names = [...code.slice(from).matchAll(EXPORTED)].map(
        ([, name]) => name,
      );
      if (from === -1 || names.length < 5)
        this.error("zod does not make JSON schema where this build expects it");
      return {
        code: [
          code.slice(0, from),
          ...names.map((name) => `export const ${name} = undefined;`),
          ...(isProcessors ? [] : ["export { processSchema as process };"]),
        ].join("\n"),
        map: null,
      };
    },
  },
});
