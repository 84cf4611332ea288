import type { Plugin } from "vite";

/** An instance of all of it, which stands at the end with shorthands for it, and then the exports. */
const REST =
  /var (\w+)=new \w+;function \w+\((\w+,\w+)\)\{return \1\.parse\(\2\)\}.*export\{.*?(?<lexer>\w+) as Lexer,.*\};/s;

/**
 * The page takes the lexer of marked and makes elements of what it finds. What makes HTML is part of the same module and cannot be told
 * to be unused: in this build it is missing. A release of marked that is put together in another way fails the build.
 */
export const lexerOnly = (): Plugin => ({
  name: "lexer-only",
  transform: {
    filter: { id: /\/node_modules\/marked\/lib\/marked\.esm\.js/ },
    handler(code) {
      const lexer = REST.exec(code)?.groups?.["lexer"];
      if (lexer === undefined)
        this.error("marked does not export its lexer as this build expects it");
      return {
        code: code.replace(REST, () => `export{${lexer} as Lexer};`),
        map: null,
      };
    },
  },
});
