/**
 * The program that users start, in a few files instead of hundreds: most of what a start takes is finding and linking
 * modules. Packages stay where npm puts them.
 *
 *   dist/bin.js            the command line
 *   dist/part-….js         what some commands need, the server above all; loaded when they do
 *   dist/store/sqlite/…    the threads of the store
 */
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { build, stop, type Plugin } from "esbuild";

/** What is started by its path: the program, and the threads of the store. */
const entriesOf = async (sources: string): Promise<string[]> => {
  const threads = await readdir(join(sources, "store/sqlite"));
  return [
    "bin",
    ...threads
      .filter(
        (name) => name.endsWith("-thread.ts") && name !== "serve-thread.ts",
      )
      .map((name) => `store/sqlite/${name.replace(/\.ts$/, "")}`),
  ];
};

export const buildProgram = async (
  root: string,
  dist: string,
): Promise<void> => {
  const sources = join(root, "src");
  const entries = await entriesOf(sources);
  try {
    await build({
      absWorkingDir: root,
      entryPoints: entries.map((name) => ({
        in: join(sources, `${name}.ts`),
        out: name,
      })),
      outdir: dist,
      chunkNames: "part-[name]-[hash]",
      bundle: true,
      splitting: true,
      packages: "external",
      platform: "node",
      format: "esm",
      target: "node24",
      logLevel: "silent",
      plugins: [whereItWas(sources)],
    });
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
