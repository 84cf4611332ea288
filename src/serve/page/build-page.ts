import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** Builds the page of a clone into a directory, in a process of its own. Rejects with what the builder said. */
export const buildPage = async (
  clone: string,
  directory: string,
  signal?: AbortSignal,
): Promise<void> => {
  const child = spawn(
    process.execPath,
    [
      viteOf(clone),
      "build",
      `--config=${join(clone, "web/vite.config.ts")}`,
      `--outDir=${directory}`,
      "--logLevel=error",
    ],
    {
      cwd: clone,
      stdio: ["ignore", "pipe", "pipe"],
      ...(signal === undefined ? {} : { signal }),
    },
  );
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-2000);
    });
  await once(child, "close");
  const { exitCode: code } = child;
  if (code !== 0) throw new Error(said.trim() || `it ended with ${code}`);
};

/** The builder is there for development only. */
export const viteOf = (clone: string): string =>
  join(clone, "node_modules/vite/bin/vite.js");
