import { dirname } from "node:path";

/** What is used here of the bundler, which is there in a clone only. */
interface Plugin {
  name: string;
  setup(building: {
    onLoad(
      which: { filter: RegExp; namespace: string },
      load: (file: { path: string }) => Loaded,
    ): void;
  }): void;
}

interface Loaded {
  contents: string;
  loader: "js";
  resolveDir: string;
}

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
