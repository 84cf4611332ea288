import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";

/** Runs a program to its end, those of our own packages first; what it prints is seen. A failure ends the build. */
export const run = (
  root: string,
  program: string,
  ...args: readonly string[]
): void => {
  const own = join(root, "node_modules/.bin");
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    env: {
      ...process.env,
      PATH: [own, process.env["PATH"]].join(delimiter),
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (error !== undefined) throw error;
  if (status !== 0)
    throw new Error(`${program} ${args.join(" ")} ended with ${status}`);
};

/** So few files take as long with several threads as with one, which does not check the same types as the others. */
export const compile = (root: string, project: string): void =>
  run(root, "tsc", "-p", project, "--singleThreaded");
