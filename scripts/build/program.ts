/**
 * The program that users start, in a few files instead of hundreds: most of what a start takes is finding and linking
 * modules. The packages that consist of many files are part of it; the others stay where npm puts them.
 *
 *   dist/bin.js            the command line
 *   dist/part-….js         what some commands need, the server above all; loaded when they do
 *   dist/store/sqlite/threads/…    the threads of the store
 */
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { build, stop, type Plugin } from "esbuild";
import { lean } from "../../src/executors/standalone/lean.ts";

/** They load files of their own by name, or are CommonJS. */
const PACKAGES_APART = ["esbuild", "pino", "ws", "yaml"];

/** What is started by its path: the program, and the threads of the store. */
const entriesOf = async (sources: string): Promise<string[]> => {
  const threads = await readdir(join(sources, "store/sqlite/threads"));
  return [
    "bin",
    ...threads
      .filter(
        (name) => name.endsWith("-thread.ts") && name !== "serve-thread.ts",
      )
      .map((name) => `store/sqlite/threads/${name.replace(/\.ts$/, "")}`),
  ];
};

/** Resolves with what it is made of: paths relative to the root. */
export const buildProgram = async (
  root: string,
  dist: string,
): Promise<string[]> => {
  const sources = join(root, "src");
  const entries = await entriesOf(sources);
  try {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: entries.map((name) => ({
        in: join(sources, `${name}.ts`),
        out: name,
      })),
      outdir: dist,
      chunkNames: "part-[name]-[hash]",
      bundle: true,
      splitting: true,
      external: PACKAGES_APART,
      platform: "node",
      format: "esm",
      target: "node24",
      logLevel: "silent",
      legalComments: "none",
      metafile: true,
      plugins: [whereItWas(sources), ...lean],
    });
    return Object.keys(metafile.inputs);
  } finally {
    await stop();
  }
};

/** A module that asks where it is gets the place that its source has: it looks for its neighbours from there. */
const whereItWas = (sources: string): Plugin => ({
  name: "where-it-was",
  setup(building) {
    building.onLoad(
      { filter: /\.ts$/, namespace: "file" },
      async ({ path }) => {
        const text = await readFile(path, "utf8");
        if (!path.startsWith(sources) || !text.includes("import.meta."))
          return null;
        const place = relative(sources, path).replace(/\.ts$/, ".js");
        const url = `new URL(${JSON.stringify(`./${place}`)}, import.meta.url)`;
        const file = `decodeURIComponent(${url}.pathname)`;
        const contents = text
          .replaceAll("import.meta.url", `${url}.href`)
          .replaceAll("import.meta.filename", file)
          .replaceAll(
            "import.meta.dirname",
            `${file}.replace(/\\/[^/]*$/, "")`,
          );
        return { contents, loader: "ts" };
      },
    );
  },
});
