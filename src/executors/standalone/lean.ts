/**
 * What our programs would load and never use is left out of their bundles: it took most of every start. How it is found
 * depends on how a package is laid out, so each plugin fails the build when the bundle holds what it should have left out.
 */
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
    onEnd(check: (result: { metafile?: Metafile | undefined }) => Ended): void;
    initialOptions: { metafile?: boolean | undefined };
  }): void;
}

interface Metafile {
  inputs: Record<string, unknown>;
  outputs: Record<
    string,
    { imports: { path: string; kind: string; external?: boolean }[] }
  >;
}

interface Ended {
  errors: { text: string }[];
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
    failWhere(building, ({ inputs }) =>
      Object.keys(inputs)
        .filter((path) => /\bzod\/.*\blocales\/(?!index\.|en\.)/.test(path))
        .map(
          (path) => `Zod's messages in another language are bundled: ${path}.`,
        ),
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
    failWhere(building, ({ outputs }) =>
      Object.entries(outputs)
        .filter(([, { imports }]) => imports.some(isHttp))
        .map(([path]) => `The client of node:http is loaded by ${path}.`),
    );
  },
};

const isHttp = ({ path, kind }: { path: string; kind: string }): boolean =>
  /^(?:node:)?http$/.test(path) && kind === "import-statement";

/**
 * The checks for each of the hundreds of messages of ACP. Each is made when the first such message comes, which for most
 * is never; where nothing names one, it is not even in the bundle.
 */
const checksWhenAsked: Plugin = {
  name: "checks-when-asked",
  setup(building) {
    const found = new Set<string>();
    building.onLoad(
      { filter: /\/sdk\/dist\/v1\/.*zod\.gen\.js$/, namespace: "file" },
      async ({ path }) => {
        const contents = LATER + whenAsked(await readFile(path, "utf8"), path);
        found.add(path.replace(SDK, ""));
        return { contents, loader: "js", resolveDir: dirname(path) };
      },
    );
    failWhere(building, ({ inputs }) => {
      const all = Object.keys(inputs).filter((path) => SDK.test(path));
      const missed = all.filter((path) => {
        const place = path.replace(SDK, "");
        return /zod/i.test(place) && !found.has(place);
      });
      if (all.length > 0 && found.size === 0)
        return ["The checks of ACP's messages are not where they were."];
      return missed.map(
        (path) => `Checks of ACP's messages are made at every start: ${path}.`,
      );
    });
  },
};

const SDK = /^.*@agentclientprotocol\/sdk\/dist\//;

/** Stands for what is made when something of it is asked for. */
const LATER = `
const later = (make) => {
  let made;
  return new Proxy({}, { get: (_, name) => (made ??= make())[name] });
};
`;

/** `export const zName = …;`, over as many lines as are indented or close what was opened. */
const whenAsked = (source: string, path: string): string => {
  let made = 0;
  const text = source.replaceAll(
    /^export const (\w+) = ((?:.*\n(?=[ )\]}]))*.*);$/gm,
    (_, name: string, value: string) => {
      made += 1;
      return `export const ${name} = /* @__PURE__ */ later(() => ${value});`;
    },
  );
  const all = source.match(/^export const /gm)?.length ?? 0;
  if (made === 0 || made < all)
    throw new Error(
      `Of ${all} checks of ACP's messages, ${made} have the known form: ${path}.`,
    );
  return text;
};

/** What a package was changed to is told when the program is built, not by programs that start slowly. */
const failWhere = (
  building: Parameters<Plugin["setup"]>[0],
  complaints: (metafile: Metafile) => string[],
): void => {
  building.initialOptions.metafile = true;
  building.onEnd(({ metafile }) => ({
    errors:
      metafile === undefined
        ? []
        : complaints(metafile).map((text) => ({
            text: `${text} Mend src/executors/standalone/lean.ts.`,
          })),
  }));
};

export const lean: Plugin[] = [englishOnly, serverOnly, checksWhenAsked];
