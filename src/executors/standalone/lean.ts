/** What our programs would load and never use is left out of their bundles: it took most of every start. */
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";

/** What is used here of the bundler, which is there in a clone only. */
interface Plugin {
  name: string;
  setup(building: {
    onResolve(
      which: { filter: RegExp; namespace?: string },
      resolve: (wanted: { kind: string }) => Resolved | null,
    ): void;
    onLoad(
      which: { filter: RegExp; namespace: string },
      load: (file: { path: string }) => Loaded | Promise<Loaded>,
    ): void;
  }): void;
}

interface Resolved {
  path: string;
  namespace: string;
}

interface Loaded {
  contents: string;
  loader: "js";
  resolveDir?: string;
}

/** Zod's messages in fifty languages, of which nobody asks for another than English. */
const englishOnly: Plugin = {
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

/**
 * The client that comes with `node:http`. An `import` of a module of Node's reads each of its exports, and one of them,
 * `WebSocket`, loads all of `fetch`; asked for by its name, the module is just given.
 */
const serverOnly: Plugin = {
  name: "server-only",
  setup(building) {
    building.onResolve({ filter: /^(?:node:)?http$/ }, ({ kind }) =>
      kind === "import-statement"
        ? { path: "node:http", namespace: "given" }
        : null,
    );
    building.onLoad({ filter: /./, namespace: "given" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
      loader: "js",
    }));
  },
};

/**
 * The checks for each of the hundreds of messages of ACP. Each is made when the first such message comes, which for most
 * is never; where nothing names one, it is not even in the bundle.
 */
const checksWhenAsked: Plugin = {
  name: "checks-when-asked",
  setup(building) {
    building.onLoad(
      { filter: /\/sdk\/dist\/v1\/.*zod\.gen\.js$/, namespace: "file" },
      async ({ path }) => ({
        contents: LATER + whenAsked(await readFile(path, "utf8")),
        loader: "js",
        resolveDir: dirname(path),
      }),
    );
  },
};

/** Stands for what is made when something of it is asked for. */
const LATER = `
const later = (make) => {
  let made;
  return new Proxy({}, { get: (_, name) => (made ??= make())[name] });
};
`;

/** `export const zName = …;`, over as many lines as are indented or close what was opened. */
const whenAsked = (source: string): string =>
  source.replaceAll(
    /^export const (\w+) = ((?:.*\n(?=[ )\]}]))*.*);$/gm,
    "export const $1 = /* @__PURE__ */ later(() => $2);",
  );

export const lean: Plugin[] = [englishOnly, serverOnly, checksWhenAsked];
