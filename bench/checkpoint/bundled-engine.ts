/** The engine as users run it: agentctl is one file and its threads are others, while a clone's have types to strip first. */
import { rmSync } from "node:fs";
import { copyFile, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import type { openVault } from "../../src/checkpoint/open-vault.ts";
import {
  buildBundle,
  writeBundle,
} from "../../src/executors/standalone/bundle.ts";
import { ADDON, installedAddon } from "../../src/kit/c-library.ts";

interface Engine {
  openVault: typeof openVault;
}

let loading: Promise<Engine> | null = null;

export const bundledEngine = (): Promise<Engine> => (loading ??= load());

const load = async (): Promise<Engine> => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-bench-engine-"));
  // Threads begin whenever there is something for them to do: their files stay until the end.
  process.once("exit", () =>
    rmSync(directory, { recursive: true, force: true }),
  );
  await writeBundle(await buildBundle(), directory);
  const addon = installedAddon();
  if (addon === null) throw new Error("npm has not installed koffi");
  await copyFile(addon, join(directory, ADDON));
  const outfile = join(directory, "vault.js");
  await build({
    entryPoints: [
      resolve(import.meta.dirname, "../../src/checkpoint/open-vault.ts"),
    ],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
  });
  const engine: unknown = await import(outfile);
  if (isEngine(engine)) return engine;
  throw new Error("the bundle has no vault");
};

const isEngine = (module: unknown): module is Engine =>
  typeof module === "object" && module !== null && "openVault" in module;
