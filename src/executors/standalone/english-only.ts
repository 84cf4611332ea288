import { dirname } from "node:path";
import type { Plugin } from "esbuild";

/**
 * Leaves out zod's messages in fifty languages. Nobody asks for them, and to read them took a third of the start of every
 * program that checks what it is given.
 */
export const englishOnly: Plugin = {
  name: "english-only",
  setup(building) {
    building.onLoad(
      { filter: /\/zod\/v4\/locales\/index\.js$/, namespace: "file" },
      ({ path }) => ({
        contents: 'export { default as en } from "./en.js";',
        loader: "js",
        resolveDir: dirname(path),
      }),
    );
  },
};
