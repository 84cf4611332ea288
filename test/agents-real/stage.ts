/** What a real agent needs around it: its installed program, a home that points to the scripted model, a workspace. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { installAgent } from "./install.ts";
import type { Model } from "./model/server.ts";
import type { RealAgent } from "./packages.ts";
import { setUpOf } from "./set-up.ts";

export interface Stage extends AsyncDisposable {
  agent: RealAgent;
  directory: string;
  home: string;
  workspace: string;
  /** The whole environment of the agent. */
  env: Record<string, string>;
  /** Removes the agent's home and sets up an empty one. */
  renewHome(): Promise<void>;
}

export const makeStage = async (
  agent: RealAgent,
  model: Model,
): Promise<Stage> => {
  const programs = await installAgent(agent);
  const directory = await mkdtemp(join(tmpdir(), `${agent}-`));
  const [home, workspace, bin, tmp] = ["home", "work", "bin", "tmp"].map(
    (name) => join(directory, name),
  ) as [string, string, string, string];
  for (const path of [workspace, bin, tmp]) await mkdir(path);
  // Their programs run on the Node that they find.
  await symlink(process.execPath, join(bin, "node"));
  const setUp = setUpOf[agent];
  const at = { home, model: model.url };
  const renewHome = async (): Promise<void> => {
    await rm(home, { recursive: true, force: true, maxRetries: 10 });
    await mkdir(home);
    for (const [path, text] of Object.entries(setUp.files?.(at) ?? {})) {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await writeFile(join(home, path), text);
    }
  };
  await renewHome();
  return {
    renewHome,
    agent,
    directory,
    home,
    workspace,
    env: {
      PATH: [bin, programs, "/usr/local/bin:/usr/bin:/bin"].join(":"),
      HOME: directory,
      // Beside the home: Codex refuses to work with a home inside the directory for temporary files.
      TMPDIR: tmp,
      // They start often here, and some of them are millions of lines.
      NODE_COMPILE_CACHE: join(dirname(programs), "compiled"),
      ...setUp.env(at),
    },
    async [Symbol.asyncDispose]() {
      await rm(directory, { recursive: true, force: true, maxRetries: 10 });
    },
  };
};
