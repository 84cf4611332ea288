/**
 * Installs a real agent from npm, once per machine, into a cache outside the repository:
 *
 *   $REPRISE_AGENTS_CACHE/claude-<hash of the versions>/bin/claude-agent-acp …
 *
 * A directory of that name is complete: it is filled under another name and renamed at the end. Whoever comes while
 * another process installs waits for it.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  mkdir,
  mkdtemp,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { cleanEnvironment } from "../../src/kit/processes/clean-environment.ts";
import { type OsLock, takeOsLock } from "../../src/kit/processes/os-lock.ts";
import { type Installed, packagesOf } from "./packages.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";

/** Resolves with the directory that holds the agent's programs. */
export const installAgent = (agent: keyof typeof packagesOf): Promise<string> =>
  installPrograms(agent, packagesOf[agent]);

/** The same for any programs, under a name of their own. */
export const installPrograms = async (
  name: string,
  what: Installed,
): Promise<string> => {
  const cache =
    process.env["REPRISE_AGENTS_CACHE"] ??
    join(homedir(), ".cache", "reprise-agents");
  const home = join(cache, `${name}-${hashOf(what)}`);
  if (!(await exists(home))) {
    await mkdir(cache, { recursive: true });
    const lock = await lockOf(`${home}.lock`);
    try {
      if (!(await exists(home))) await install(what, cache, home);
    } finally {
      lock.release();
    }
  }
  return join(home, "bin");
};

const install = async (
  what: Installed,
  cache: string,
  home: string,
): Promise<void> => {
  const unfinished = await mkdtemp(join(cache, "unfinished-"));
  try {
    await writeFile(join(unfinished, "package.json"), manifestOf(what));
    await npm(unfinished, "install", "--ignore-scripts");
    if (what.scripts.length > 0)
      await npm(unfinished, "rebuild", ...what.scripts);
    await mkdir(join(unfinished, "bin"));
    for (const program of what.programs)
      await symlink(
        join("..", "node_modules", ".bin", program),
        join(unfinished, "bin", program),
      );
    await rename(unfinished, home);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
};

/** The overrides keep a package's own dependencies at our versions too. */
const manifestOf = ({ packages }: Installed): string =>
  JSON.stringify({
    private: true,
    dependencies: packages,
    overrides: Object.fromEntries(
      Object.keys(packages).map((name) => [name, `$${name}`]),
    ),
  });

/** npm on our own Node: on an older one it would choose older packages without a word. */
const npm = async (cwd: string, ...args: string[]): Promise<void> => {
  const env = cleanEnvironment(process.env);
  await promisify(execFile)(
    "npm",
    [...args, "--no-audit", "--no-fund", "--loglevel=error"],
    {
      cwd,
      env: {
        ...env,
        PATH: [dirname(process.execPath), env["PATH"]].join(delimiter),
      },
      timeout: patience(300_000),
      maxBuffer: 16 * 1024 * 1024,
    },
  );
};

const hashOf = (what: Installed): string =>
  createHash("sha256")
    .update(JSON.stringify([what, process.platform, process.arch]))
    .digest("hex")
    .slice(0, 12);

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Another process may be installing for a minute or two. */
const lockOf = async (path: string): Promise<OsLock> => {
  const until = Date.now() + patience(300_000);
  for (;;) {
    const lock = takeOsLock(path);
    if (lock !== null) return lock;
    if (Date.now() > until) throw new Error(`${path} stays locked`);
    await wait(200);
  }
};
