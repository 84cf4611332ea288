import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { StartOrder } from "../contract/link.ts";
import { type Bench, withBench } from "./fixtures/bench.ts";
import { newExecution } from "./fixtures/ids.ts";

const demo = join(import.meta.dirname, "../agents/demo/main.ts");

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
  return link.wait(order, "start_failed");
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
