import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { commandLines } from "../../kit/fixtures/command-lines.ts";
import { until } from "../../kit/fixtures/patience.ts";
import { whyNoSandboxes } from "../../kit/processes/bubblewrap.ts";
import { withBench } from "../fixtures/bench.ts";
import { newSession } from "../fixtures/ids.ts";
import { newShell, ShellWatcher } from "../fixtures/test-shell.ts";
import { linkMethods } from "../../contract/link/link.ts";

const why = await whyNoSandboxes(process.env);
const skip = why === null || process.env["CI"] === "true" ? false : why;

// Command lines that this run of the tests alone has.
const [held, hidden] = [`sleep 3${process.pid}00`, `sleep 4${process.pid}00`];

test(
  "[SBX-9] a shell is inside, with its terminal and its jobs, and is gone with all it started",
  { skip },
  () =>
    withBench(async (bench) => {
      const cwd = await mkdtemp(join(tmpdir(), "sandbox-"));
      try {
        await writeFile(join(bench.home, "secret"), "hush-4711");
        const link = await bench.link();
        const session_id = newSession();
        const { shell } = linkMethods.shell_open.result.parse(
          await link.call("shell_open", {
            shell_id: newShell(),
            session_id,
            cols: 80,
            rows: 24,
            cwd,
            env: { PATH: process.env["PATH"] ?? "", HOME: bench.home },
            sandbox: { network: "off" },
          }),
        );
        const watcher = new ShellWatcher(await bench.data(link), shell);
        await watcher.type(
          `cat ${bench.home}/secret ${bench.home}/agentctl/token >got; echo seen$((6*7))\r`,
        );
        await watcher.untilSeen("seen42");
        assert.equal(await readFile(join(cwd, "got"), "utf8"), "");
        await watcher.type(`${held}\r`);
        await until(() => commandLines(held).length === 1);
        await watcher.type("\u0003");
        await until(() => commandLines(held).length === 0);
        await watcher.type(`env -i setsid ${hidden} & echo job$((6*7))\r`);
        await watcher.untilSeen("job42");
        await until(() => commandLines(hidden).length === 1);
        await link.call("shell_close", { session_id, shell_id: shell.id });
        await until(() => commandLines(hidden).length === 0);
      } finally {
        await rm(cwd, { recursive: true, force: true });
      }
    }),
);
