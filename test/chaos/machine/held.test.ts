import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { eventually } from "../../../src/kit/fixtures/patience.ts";
import { kill } from "../../../src/kit/processes/marked-processes.ts";
import { heldIn } from "./held.ts";
import { isRunning, processAt, signal, type Process } from "./processes.ts";

const SESSION = "ses_1";
const EXECUTION = "exe_1";

/** A wrapper, its agent, and a child of the agent that is its very image: a subshell is forked and executes nothing. */
const wrapper = `sh -c 'echo $$ >pid; (read -r _ <wait; :) & echo $! >child; read -r _ <wait; :' & wait`;

/** An execution as agentctl leaves it on the disk, with real processes. */
const stage = async (t: TestContext) => {
  const home = await mkdtemp(join(tmpdir(), "held-"));
  const directory = join(home, "agentctl/executions", EXECUTION);
  await mkdir(directory, { recursive: true });
  const outer = spawn("sh", ["-c", `mkfifo wait; ${wrapper}`], {
    cwd: directory,
    detached: true,
    stdio: "ignore",
    env: { ...process.env, REPRISE_EXECUTION: EXECUTION, CHAOS_HOME: home },
  });
  t.after(async () => {
    // Its group, which lives on without it.
    if (outer.pid !== undefined) process.kill(-outer.pid, "SIGKILL");
    await rm(home, { recursive: true, force: true, maxRetries: 10 });
  });
  const pidIn = async (name: string): Promise<number> =>
    Number(
      await eventually(
        () => readFile(join(directory, name), "utf8").catch(() => ""),
        (text) => text.endsWith("\n"),
      ),
    );
  const child = there(await pidIn("child"));
  const agent = there(await pidIn("pid"));
  const { pid, start: start_time } = there(outer.pid);
  await writeFile(
    join(directory, "journal"),
    [
      { kind: "ordered", session_id: SESSION },
      { kind: "launched", wrapper: { pid, start_time } },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  );
  return { home, directory, agent, child, wrapper: { pid, start: start_time } };
};

const there = (pid: number | undefined): Process =>
  processAt(pid ?? 0) ?? assert.fail("it does not run");

test("a forked child of an agent, which looks like it in every way, is not taken for the agent", async (t) => {
  const { home, agent, child, wrapper } = await stage(t);
  const [argv, image] = await Promise.all(
    [agent, child].map(({ pid }) => readFile(`/proc/${pid}/cmdline`, "utf8")),
  );
  assert.equal(image, argv);
  assert.deepEqual(heldIn(home), [
    { execution: EXECUTION, session: SESSION, wrapper, agent },
  ]);
});

test("an agent outlives its wrapper, and is still known by its mark", async (t) => {
  const { home, agent, wrapper } = await stage(t);
  kill(wrapper.pid, "SIGKILL");
  await eventually(
    () => isRunning(wrapper),
    (runs) => !runs,
  );
  assert.deepEqual(heldIn(home), [
    { execution: EXECUTION, session: SESSION, wrapper: null, agent },
  ]);
});

test("a pid that somebody else has by now is nobody's agent, and gets no signal", async (t) => {
  const { home, directory, agent } = await stage(t);
  assert.equal(signal({ ...agent, start: "1" }, "SIGKILL"), false);
  assert.equal(isRunning(agent), true);
  await writeFile(join(directory, "pid"), `${process.pid}\n`);
  assert.equal(heldIn(home)[0]?.agent, null);
});
