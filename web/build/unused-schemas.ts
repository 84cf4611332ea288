import type { Plugin } from "vite";

/** Our own modules whose parts may all be left out: what they compute when they are loaded changes nothing else. */
const OURS = /\/src\/(?:contract|client|kit)\/.*\.ts$/;

/** What may stay as it stands: it is nothing but a value, or it is computed when somebody calls it. */
const PLAIN = new Set([
  "ArrowFunctionExpression",
  "ClassExpression",
  "FunctionExpression",
  "Identifier",
  "Literal",
]);

/**
 * A schema is made by calls, and a builder cannot tell that these only make it: it keeps every schema of a module of which anything is
 * used. Here it is told, so that only those that the page uses are in it.
 */
export const unusedSchemas = (): Plugin => ({
  name: "unused-schemas",
  transform: {
    filter: { id: OURS },
    handler(code) {
      let out = "";
      let at = 0;
      for (const statement of this.parse(code).body) {
        const declared =
          statement.type === "ExportNamedDeclaration"
            ? statement.declaration
            : statement;
        if (declared?.type !== "VariableDeclaration") continue;
        for (const { init } of declared.declarations) {
          if (init === null || PLAIN.has(init.type)) continue;
          const { start, end } = init;
          out += `${code.slice(at, start)}/* @__PURE__ */ (() => (${code.slice(start, end)}))()`;
          at = end;
        }
      }
      return at === 0 ? null : { code: out + code.slice(at), map: null };
    },
  },
});
