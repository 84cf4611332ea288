import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { linkMethods } from "../../contract/link/link.ts";
import { until } from "../../kit/fixtures/patience.ts";
import { markedProcesses } from "../../kit/processes/marked-processes.ts";
import { Bench } from "../fixtures/bench.ts";
import { newSession } from "../fixtures/ids.ts";
import {
  listShells,
  newShell,
  openShell,
  ShellWatcher,
} from "../fixtures/test-shell.ts";
import { shellMark } from "./launch-shell.ts";

const started = async () => {
  const bench = await Bench.start();
  const link = await bench.link();
  const data = await bench.data(link);
  return { bench, link, data };
};

test("[SHL-1] a shell answers what is typed, in the workspace, in a terminal of the size that was asked", async (t) => {
  const { bench, link, data } = await started();
  t.after(() => bench.close());
  const shell = await openShell(bench, link, { cols: 100, rows: 30 });
  assert.equal(shell.state, "open");
  assert.deepEqual([shell.cols, shell.rows], [100, 30]);
  const watcher = new ShellWatcher(data, shell);
  await watcher.untilSeen("$");
  await watcher.type("pwd; stty size; echo t=$TERM $((6*7))\r");
  await watcher.untilSeen("t=xterm-256color 42");
  assert.match(watcher.screen, new RegExp(`${bench.home}\n30 100\n`));
});

test("[SHL-2] a shell has what agents have, without what is only for them, and its mark", async (t) => {
  const { bench, link, data } = await started();
  t.after(() => bench.close());
  const shell = await openShell(bench, link, {
    env: {
      KEY: "value",
      REPRISE_MCP_1: "a secret",
      REPRISE_EXECUTION: "exe_1",
      COLUMNS: "7",
    },
  });
  const watcher = new ShellWatcher(data, shell);
  await watcher.untilSeen("$");
  await watcher.type(
    "echo k=$KEY m=$REPRISE_MCP_1 e=$REPRISE_EXECUTION c=$COLUMNS.; env | grep -c REPRISE_; env | grep REPRISE_SHELL\r",
  );
  await watcher.untilSeen("REPRISE_SHELL=");
  assert.match(watcher.screen, /k=value m= e= c=80\./);
  // The mark and the session, and nothing of how it was started.
  assert.match(watcher.screen, /^2$/m);
  assert.match(watcher.screen, new RegExp(shellMark(shell.id)));
  for (const name of await readdir(
    join(bench.home, "agentctl/shells", shell.id),
  ))
    if (name.endsWith(".json")) {
      const path = join(bench.home, "agentctl/shells", shell.id, name);
      assert.doesNotMatch(await readFile(path, "utf8"), /value|secret/);
      assert.equal((await stat(path)).mode & 0o777, 0o600);
    }
});

test("[SHL-3] Ctrl-C ends what runs, Ctrl-D the shell, and its exit code is told", async (t) => {
  const { bench, link, data } = await started();
  t.after(() => bench.close());
  const shell = await openShell(bench, link);
  const watcher = new ShellWatcher(data, shell);
  await watcher.untilSeen("$");
  // It says itself that it runs: a shell that is just starting a program can keep a signal from it.
  await watcher.type(
    `sh -c "echo be''gins; exec sleep 1000"; echo be''hind $?\r`,
  );
  await watcher.untilSeen("begins\n");
  await watcher.type("\x03");
  await watcher.untilSeen("^C");
  await watcher.type("(exit 7)\r");
  await watcher.untilSeen(/\(exit 7\)\n\$ ?$/m);
  await watcher.type("\x04");
  await watcher.over;
  assert.deepEqual(watcher.end, { reason: "exited", exit_code: 7 });
  const [listed] = await listShells(link, shell);
  assert.equal(listed?.state, "ended");
  assert.deepEqual(listed?.end, watcher.end);
});

test("[SHL-4] a program is told of another size, and so are all who look", async (t) => {
  const { bench, link, data } = await started();
  t.after(() => bench.close());
  const shell = await openShell(bench, link);
  const [one, other] = [
    new ShellWatcher(data, shell),
    new ShellWatcher(data, shell),
  ];
  await one.untilSeen("$");
  await one.type("trap 'stty size' WINCH; echo re''ady\r");
  await one.untilSeen("ready");
  const { id: shell_id, session_id } = shell;
  const size = { cols: 120, rows: 40 };
  const resized = linkMethods.shell_resize.result.parse(
    await link.call("shell_resize", { shell_id, session_id, ...size }),
  );
  assert.equal(resized.shell.cols, 120);
  await one.type("\r");
  await one.untilSeen("40 120");
  await other.untilSeen("40 120");
  assert.deepEqual([one.size, other.size], [size, size]);
});

test("[SHL-5] many may look and type at once, and each shell is its own", async (t) => {
  const { bench, link, data } = await started();
  t.after(() => bench.close());
  const session_id = newSession();
  const first = await openShell(bench, link, { session_id });
  const second = await openShell(bench, link, { session_id });
  const watchers = [
    new ShellWatcher(data, first),
    new ShellWatcher(data, first),
  ];
  const apart = new ShellWatcher(data, second);
  const [one, two] = watchers;
  await one?.type("echo fr''om-one\r");
  for (const each of watchers) await each.untilSeen("from-one");
  await two?.type("echo fr''om-two\r");
  for (const each of watchers) await each.untilSeen("from-two");
  await apart.type("echo ap''art\r");
  await apart.untilSeen("apart");
  assert.doesNotMatch(apart.screen, /from-one/);
  assert.deepEqual(
    (await listShells(link, { session_id })).map(({ id }) => id),
    [first.id, second.id],
  );
  await one?.detach();
  await two?.type("echo st''ill\r");
  await two?.untilSeen("still");
});

test("[SHL-6] a session has a number of open shells at most, an id opens one once, and sizes are brought back", async (t) => {
  const { bench, link } = await started();
  t.after(() => bench.close());
  const session_id = newSession();
  const shell_id = newShell();
  const first = await openShell(bench, link, {
    session_id,
    shell_id,
    cols: 100_000,
    rows: -5,
  });
  assert.deepEqual([first.cols, first.rows], [500, 1]);
  const again = await openShell(bench, link, { session_id, shell_id });
  assert.equal(again.created_at, first.created_at);
  const opening = Array.from({ length: 15 }, () =>
    openShell(bench, link, { session_id }),
  );
  await Promise.all(opening);
  await assert.rejects(openShell(bench, link, { session_id }), {
    code: "too_many_shells",
  });
  await link.call("shell_close", { session_id, shell_id });
  await openShell(bench, link, { session_id });
  await assert.rejects(
    openShell(bench, link, { cwd: join(bench.home, "nowhere") }),
    { code: "workspace_unreadable" },
  );
});

test("[SHL-7] closing ends everything that was started in it, also what left it, and forgets it", async (t) => {
  const { bench, link, data } = await started();
  t.after(() => bench.close());
  const shell = await openShell(bench, link);
  const watcher = new ShellWatcher(data, shell);
  await watcher.untilSeen("$");
  await watcher.type(
    "setsid sleep 1000 & nohup sleep 1000 >/dev/null 2>&1 & echo st''arted\r",
  );
  await watcher.untilSeen("started");
  const mark = shellMark(shell.id);
  await until(async () => (await markedProcesses(mark)).length >= 5);
  const { id: shell_id, session_id } = shell;
  await link.call("shell_close", { shell_id, session_id });
  assert.deepEqual(await markedProcesses(mark), []);
  await watcher.over;
  assert.equal(watcher.end?.reason, "closed");
  assert.deepEqual(await listShells(link, shell), []);
  assert.deepEqual(await readdir(join(bench.home, "agentctl/shells")), []);
  await assert.rejects(link.call("shell_close", { shell_id, session_id }), {
    code: "unknown_shell",
  });
});

test("[SHL-8] what has ended stays with its last screen until it is closed", async (t) => {
  const { bench, link, data } = await started();
  t.after(() => bench.close());
  const shell = await openShell(bench, link);
  const watcher = new ShellWatcher(data, shell);
  await watcher.untilSeen("$");
  await watcher.type("echo la''st words; exit 3\r");
  await watcher.over;
  const later = new ShellWatcher(data, shell);
  await later.over;
  assert.match(later.screen, /last words/);
  assert.deepEqual(later.end, { reason: "exited", exit_code: 3 });
  const again = new ShellWatcher(data, shell, watcher.offset);
  await again.over;
  assert.deepEqual(
    again.messages.map(({ kind }) => kind),
    ["ended"],
  );
  const { id: shell_id, session_id } = shell;
  const size = { cols: 10, rows: 10 };
  await assert.rejects(
    link.call("shell_resize", { shell_id, session_id, ...size }),
    { code: "shell_ended" },
  );
});

test("[SHL-9] a shell belongs to its session and its owner", async (t) => {
  const { bench, link, data } = await started();
  t.after(() => bench.close());
  const shell = await openShell(bench, link);
  const stranger = { ...shell, session_id: newSession() };
  await assert.rejects(
    link.call("shell_close", {
      shell_id: shell.id,
      session_id: stranger.session_id,
    }),
    { code: "unknown_shell" },
  );
  const watcher = new ShellWatcher(data, stranger);
  await assert.rejects(watcher.over, { code: "unknown_shell" });
  const other = await bench.link(1, "own_01h00000000000000000000000");
  assert.deepEqual(await listShells(other, shell), []);
  assert.equal((await listShells(link, shell)).length, 1);
});
