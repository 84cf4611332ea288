import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { scratch } from "../../agents/fixtures/scratch.ts";
import type { StartOrder } from "../../contract/link/link.ts";
import { type Bench, withBench } from "../fixtures/bench.ts";
import { newExecution, newSession } from "../fixtures/ids.ts";
import { keepPath, pathsOf, withKeptPath } from "./kept-path.ts";

const demo = join(import.meta.dirname, "../../programs/demo/main.ts");

/** An agent that is found in one directory alone, as somebody's terminal has it in its PATH. */
const install = async (bench: Bench): Promise<string> => {
  const directory = join(bench.home, "installed");
  await mkdir(directory);
  const program = join(directory, "named-agent");
  await writeFile(program, `#!/bin/sh\nexec ${process.execPath} ${demo}\n`);
  await chmod(program, 0o700);
  return directory;
};

const failureOf = async (
  link: Awaited<ReturnType<Bench["link"]>>,
  order: StartOrder,
) => {
  await link.call("start", order);
  const failed = await link.wait(order, "start_failed");
  await link.wait(order, "ended");
  return failed;
};

test("[SES-61] an agent that is brought back without its person is looked for with the PATH of the terminal it was started from", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const directory = await install(bench);
    const override = { command: ["named-agent"] };
    const first = bench.order("named", { override });
    const SECRET = "hush-4711";
    const env = { ...first.env, SECRET, PATH: `${directory}:/usr/bin:/bin` };
    const start = async (order: StartOrder): Promise<void> => {
      await link.call("start", order);
      await link.wait(order, "ready");
      await link.stop(order);
    };
    await start({ ...first, env, path_from: "caller" });

    const elsewhere = { ...env, PATH: "/usr/bin:/bin" };
    let epoch = first.epoch;
    let last = first.execution_id;
    const next = (more: Partial<StartOrder>): StartOrder => {
      const predecessors = [last];
      last = newExecution();
      epoch += 1;
      return { ...first, execution_id: last, epoch, predecessors, ...more };
    };
    await start(next({ env: elsewhere, path_from: "server" }));
    const failed = await failureOf(link, next({ env: elsewhere }));
    assert.equal(failed.failure, "agent_not_installed", "a PATH that is given");

    const kept = join(bench.home, "agentctl/paths", first.session_id, "PATH");
    assert.equal(await readFile(kept, "utf8"), env.PATH);
    assert.equal((await stat(kept)).mode & 0o777, 0o600);
    const { session_id } = first;
    await link.call("discard", { session_id, worktree: null });
    assert.equal(existsSync(kept), false);
  }));

const spoils: Record<string, (path: string) => Promise<unknown> | Buffer> = {
  "that is a FIFO": (path) => execFileSync("mkfifo", [path]),
  "that is a directory": (path) => mkdir(path),
  "that is a link": (path) => symlink("/etc/hostname", path),
  "that is too long": (path) => writeFile(path, "/x".repeat(20_000)),
  "with a NUL in it": (path) => writeFile(path, "/usr/bin\0/bin"),
  "with two lines": (path) => writeFile(path, "/usr/bin\n/bin"),
};
for (const [what, spoil] of Object.entries(spoils))
  test(`[SES-61] a kept PATH ${what} is not used and not waited for`, async (t) => {
    const directory = scratch(t);
    const daemon = { directory, ownEnvironment: null };
    const session = newSession();
    const file = join(pathsOf(daemon, session), "PATH");
    await mkdir(pathsOf(daemon, session), { recursive: true });
    await spoil(file);
    const env = { PATH: "/usr/bin:/bin" };
    const order = { env, path_from: "server" as const };
    assert.deepEqual(await withKeptPath(daemon, session, order), order);

    if ((await lstat(file)).isDirectory()) return;
    await keepPath(daemon, session, { env, path_from: "caller" });
    assert.equal(await readFile(file, "utf8"), env.PATH);
  });

test("[SES-61] a PATH that could not be used again is not kept, nor the one before it", async (t) => {
  const daemon = { directory: scratch(t), ownEnvironment: null };
  const session = newSession();
  for (const PATH of ["/x".repeat(20_000), "/usr/bin\0/bin", "/a\n/b"]) {
    const env = { PATH: "/usr/bin" };
    await keepPath(daemon, session, { env, path_from: "caller" });
    await keepPath(daemon, session, { env: { PATH }, path_from: "caller" });
    assert.deepEqual(await readdir(pathsOf(daemon, session)), []);
  }
});
