import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { hasErrno } from "../../kit/errno.ts";
import { lean } from "./lean.ts";

/** The programs that run beside the agents, each in one file that needs nothing but a Node. */
const entries = {
  agentctl: "agentctl/bundle-entry.ts",
  "checkpoint-side-worker": "checkpoint/workers/checkpoint-side-worker.ts",
  "checkpoint-worker": "checkpoint/workers/checkpoint-worker.ts",
  "files-worker": "agentctl/workspace/files/files-worker.ts",
  "sandbox-relay": "programs/relay/main.ts",
  "demo-agent": "programs/demo/main.ts",
  "screen-worker": "agentctl/shells/screen/screen-worker.ts",
  "ssh-relay": "executors/ssh/there/main.ts",
  "stream-json": "programs/stream-json/main.ts",
} as const;

export interface Bundle {
  /** By file name, like `agentctl.js`. */
  files: ReadonlyMap<string, Uint8Array>;
}

/** What every program was made from: paths relative to the package. */
export type Inputs = ReadonlyMap<string, readonly string[]>;

/** The packages among the inputs of a program. */
export const packagesOf = (inputs: readonly string[]): string[] => {
  const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/;
  return [...new Set(inputs.flatMap((path) => name.exec(path)?.[1] ?? []))];
};

/** Made when the package was built; null in a clone. */
export const shippedBundle = (): Promise<Bundle | null> =>
  readBundle(join(import.meta.dirname, "../../bundle"));

/** What `writeBundle` wrote; null when it is not there. */
export const readBundle = async (directory: string): Promise<Bundle | null> => {
  try {
    const read = async (name: string): Promise<[string, Uint8Array]> => [
      `${name}.js`,
      await readFile(join(directory, `${name}.js`)),
    ];
    return {
      files: new Map(await Promise.all(Object.keys(entries).map(read))),
    };
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  }
};

/** How many are being built: the bundler's process serves all of them. */
let building = 0;

/** Made from the sources of a clone, ours unless another is named, in memory. */
export const buildBundle = async (
  clone = join(import.meta.dirname, "../../.."),
): Promise<Bundle & { inputs: Inputs }> => {
  const { stop } = await import("esbuild");
  building += 1;
  try {
    return await buildAll(clone);
  } finally {
    building -= 1;
    // It would stay, with its hundred megabytes, for as long as we do.
    if (building === 0) await stop();
  }
};

const buildAll = async (
  clone: string,
): Promise<Bundle & { inputs: Inputs }> => {
  const { build } = await import("esbuild");
  const sources = join(clone, "src");
  const { outputFiles, metafile } = await build({
    entryPoints: Object.entries(entries).map(([out, path]) => ({
      in: join(sources, path),
      out,
    })),
    absWorkingDir: clone,
    outdir: ".",
    write: false,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    metafile: true,
    logLevel: "silent",
    legalComments: "none",
    plugins: lean,
    // `ws` is CommonJS and asks for Node's own modules by `require`.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
  });
  return {
    files: new Map(
      outputFiles.map((file) => [basename(file.path), file.contents]),
    ),
    inputs: new Map(
      Object.entries(metafile.outputs).map(([name, output]) => [
        name,
        Object.keys(output.inputs),
      ]),
    ),
  };
};

export const writeBundle = async (
  bundle: Bundle,
  directory: string,
): Promise<void> => {
  await mkdir(directory, { recursive: true });
  for (const [name, content] of bundle.files)
    await writeFile(join(directory, name), content, { flush: true });
};
