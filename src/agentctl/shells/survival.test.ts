import assert from "node:assert/strict";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../../kit/fixtures/patience.ts";
import { markedProcesses } from "../../kit/processes/marked-processes.ts";
import { Bench } from "../fixtures/bench.ts";
import { newSession } from "../fixtures/ids.ts";
import { listShells, openShell, ShellWatcher } from "../fixtures/test-shell.ts";
import { shellMark } from "./launch-shell.ts";

const connect = async (bench: Bench) => {
  const link = await bench.link();
  return { link, data: await bench.data(link) };
};

test("[SHL-13] a shell goes on when agentctl is killed, and the next one shows the same full screen", async (t) => {
  const bench = await Bench.startDaemon();
  t.after(() => bench.close());
  const before = await connect(bench);
  const shell = await openShell(bench, before.link);
  const watcher = new ShellWatcher(before.data, shell);
  await watcher.untilSeen("$");
  const lines = Array.from({ length: 200 }, (_, at) => `line ${at + 1}`);
  await writeFile(join(bench.home, "text"), lines.join("\n"));
  await watcher.type("LESS= less text\r");
  await watcher.untilSeen("line 20");
  await watcher.type("50g");
  await watcher.untilSeen(/^line 50$/m);
  await watcher.until(() => watcher.isOtherScreen);
  const screen = watcher.screen;
  await bench.down();
  await bench.daemonUp();
  const after = await connect(bench);
  assert.equal((await listShells(after.link, shell))[0]?.state, "open");
  const again = new ShellWatcher(after.data, shell);
  await again.untilSeen(/^line 50$/m);
  await again.until(() => again.screen === screen);
  assert.ok(again.isOtherScreen);
  await again.type("q");
  await again.until(() => !again.isOtherScreen);
  await again.type("echo ba''ck\r");
  await again.untilSeen("back");
});

test("[SHL-14] who had everything up to an offset goes on from there, across a killed agentctl, without a gap", async (t) => {
  const bench = await Bench.startDaemon();
  t.after(() => bench.close());
  const first = await connect(bench);
  const shell = await openShell(bench, first.link);
  const whole = new ShellWatcher(first.data, shell);
  await whole.untilSeen("$");
  // What is lost is lost for good, and the last number is waited for: it comes when nobody can lose it any more.
  const go = join(bench.home, "go");
  await whole.type(
    `seq -f n%.0f 1 50000; until [ -e ${go} ]; do sleep 0.05; done; seq -f n%.0f 50001 60000\r`,
  );
  await whole.until(() => whole.offset > 5000);
  const kept = new ShellWatcher(first.data, shell, 0);
  await kept.until(() => kept.offset > 5000);
  await bench.down();
  // What still arrives from the one that was killed would come twice.
  const { offset, output } = kept;
  await writeFile(go, "");
  await bench.daemonUp();
  const second = await connect(bench);
  const rest = new ShellWatcher(second.data, shell, offset);
  await rest.untilSeen("n60000");
  assert.ok(!rest.messages.some(({ kind }) => kind === "snapshot"));
  const all = Buffer.concat([output, rest.output]).toString();
  const numbers = [...all.matchAll(/^n(\d+)\r$/gm)].map((it) => Number(it[1]));
  // Killing may lose what was read from the terminal and not written (SHL-15), never what was told. What is left of two
  // lines at such a gap may look like one more number.
  const gaps = numbers
    .keys()
    .filter((at) => at > 0 && numbers[at] !== numbers[at - 1]! + 1)
    .toArray();
  const [from = 0, to = from, ...more] = gaps;
  assert.ok(
    more.length === 0 && to - from <= 1,
    `gaps before ${gaps.map((at) => numbers[at]).join()}`,
  );
  assert.equal(numbers.at(-1), 60_000);
});

test("[SHL-14] wherever a client is cut off, it goes on without a gap or a repetition", async (t) => {
  const bench = await Bench.start();
  t.after(() => bench.close());
  const { link, data } = await connect(bench);
  const shell = await openShell(bench, link);
  const typing = new ShellWatcher(data, shell);
  await typing.untilSeen("$");
  // Nothing follows, no prompt either: a place behind the end stays behind it.
  await typing.type(
    "seq 1 20000 | tr '\\n' ' '; echo; printf do''ne; exec sleep 1000\r",
  );
  await typing.untilSeen(/^done$/m);
  const whole = new ShellWatcher(data, shell, 0);
  await whole.untilSeen(/^done$/m);
  for (const cut of [
    0,
    1,
    17,
    1000,
    65_535,
    65_536,
    whole.offset - 1,
    whole.offset,
  ]) {
    const rest = new ShellWatcher(data, shell, cut);
    await rest.until(() => rest.offset === whole.offset);
    assert.deepEqual(rest.output, whole.output.subarray(cut), `from ${cut}`);
    await rest.detach();
  }
  const beyond = new ShellWatcher(data, shell, whole.offset + 1);
  await beyond.untilSeen("done");
  assert.equal(beyond.messages[0]?.kind, "snapshot");
});

test("[SHL-15] while nobody reads, a flood waits; then it goes on, and takes a bounded place on the disk", async (t) => {
  const bench = await Bench.startDaemon();
  t.after(() => bench.close());
  const before = await connect(bench);
  const shell = await openShell(bench, before.link);
  const watcher = new ShellWatcher(before.data, shell);
  await watcher.untilSeen("$");
  const counter = join(bench.home, "counter");
  await writeFile(
    join(bench.home, "flood.sh"),
    `i=0; while [ $i -lt 1500 ]; do i=$((i+1)); echo $i >${counter}; printf '%01000d\\n' $i; done; yes 0123456789 | head -c 4000000; echo flo''od over`,
  );
  await watcher.type("sh flood.sh\r");
  await watcher.untilSeen(/^0{50,}/m);
  await bench.down();
  const count = async () =>
    Number(await readFile(counter, "utf8").catch(() => 0));
  // Sixteen blocks of a pipe and the buffer of a terminal, and no more.
  const looks: number[] = [];
  await until(async () => {
    looks.unshift(await count());
    return looks.length >= 30 && new Set(looks.slice(0, 30)).size === 1;
  });
  assert.ok((looks[0] ?? 0) < 1500, `${looks[0]}`);
  await bench.daemonUp();
  const after = await connect(bench);
  const again = new ShellWatcher(after.data, shell);
  await again.untilSeen("flood over");
  const directory = join(bench.home, "agentctl/shells", shell.id, "scrollback");
  const sizes = await Promise.all(
    (await readdir(directory)).map(async (name) => {
      const { size, mode } = await stat(join(directory, name));
      assert.equal(mode & 0o777, 0o600);
      return size;
    }),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(again.offset > 5_000_000, `${again.offset}`);
  assert.ok(bytes < 4_000_000, `${bytes}`);
});

test("[SHL-16] a shell that ended while no agentctl was there is told with its last words and its code", async (t) => {
  const bench = await Bench.startDaemon();
  t.after(() => bench.close());
  const before = await connect(bench);
  const shell = await openShell(bench, before.link);
  const watcher = new ShellWatcher(before.data, shell);
  await watcher.untilSeen("$");
  const file = join(bench.home, "go");
  await watcher.type(
    `until [ -e ${file} ]; do sleep 0.05; done; echo la''st words; exit 9\r`,
  );
  await watcher.untilSeen("exit 9");
  await bench.down();
  await writeFile(file, "");
  const exit = join(bench.home, "agentctl/shells", shell.id, "exit");
  await until(
    async () => (await readFile(exit, "utf8").catch(() => "")) !== "",
  );
  await bench.daemonUp();
  const after = await connect(bench);
  const again = new ShellWatcher(after.data, shell);
  await again.over;
  assert.match(again.screen, /last words/);
  assert.deepEqual(again.end, { reason: "exited", exit_code: 9 });
  await until(
    async () => (await markedProcesses(shellMark(shell.id))).length === 0,
  );
});

test("[SHL-16] a shell whose machine went down is told as lost, and nothing is started", async (t) => {
  const bench = await Bench.startDaemon();
  t.after(() => bench.close());
  const before = await connect(bench);
  const shell = await openShell(bench, before.link);
  const watcher = new ShellWatcher(before.data, shell);
  await watcher.untilSeen("$");
  await watcher.type("echo be''fore\r");
  await watcher.untilSeen("before");
  await bench.down();
  for (const pid of await markedProcesses(shellMark(shell.id)))
    process.kill(pid, "SIGKILL");
  await until(
    async () => (await markedProcesses(shellMark(shell.id))).length === 0,
  );
  await bench.daemonUp();
  const after = await connect(bench);
  const again = new ShellWatcher(after.data, shell);
  await again.over;
  assert.match(again.screen, /before/);
  assert.deepEqual(again.end, { reason: "lost", exit_code: null });
  assert.deepEqual(await markedProcesses(shellMark(shell.id)), []);
});

test("[SHL-6] [SHL-16] shells that went with their machine are in nobody's way, although they are still being concluded", async (t) => {
  const bench = await Bench.startDaemon();
  t.after(() => bench.close());
  const before = await connect(bench);
  const session_id = newSession();
  const shells = await Promise.all(
    Array.from({ length: 16 }, () =>
      openShell(bench, before.link, { session_id }),
    ),
  );
  await assert.rejects(openShell(bench, before.link, { session_id }), {
    code: "too_many_shells",
  });
  await bench.down();
  for (const { id } of shells)
    for (const pid of await markedProcesses(shellMark(id)))
      process.kill(pid, "SIGKILL");
  for (const { id } of shells)
    await until(
      async () => (await markedProcesses(shellMark(id))).length === 0,
    );
  await bench.daemonUp();
  const after = await connect(bench);
  await openShell(bench, after.link, { session_id });
});

test("[SHL-17] whatever bytes a program shows, the shell goes on and its bytes come as they are", async (t) => {
  const bench = await Bench.start();
  t.after(() => bench.close());
  const { link, data } = await connect(bench);
  const shell = await openShell(bench, link);
  const watcher = new ShellWatcher(data, shell);
  await watcher.untilSeen("$");
  await watcher.type(
    "head -c 300000 /dev/urandom; printf '\\033c\\033[2J'; echo af''ter\r",
  );
  await watcher.untilSeen("after");
  const again = new ShellWatcher(data, shell);
  await again.untilSeen("after");
});

test("[SHL-18] questions to the terminal are answered once, however many look, and not again for who looks later", async (t) => {
  const bench = await Bench.start();
  t.after(() => bench.close());
  const { link, data } = await connect(bench);
  const shell = await openShell(bench, link);
  const watchers = [
    new ShellWatcher(data, shell),
    new ShellWatcher(data, shell),
  ];
  const [one] = watchers;
  assert.ok(one);
  await one.untilSeen("$");
  await one.type(
    "stty -echo -icanon; printf '\\033[5n'; head -c 4 | od -c | head -1; stty sane\r",
  );
  await one.untilSeen("033   [   0   n");
  const later = new ShellWatcher(data, shell);
  await later.untilSeen("033   [   0   n");
  await later.type("echo qu''iet\r");
  await later.untilSeen(/^quiet$/m);
  assert.doesNotMatch(
    later.screen.slice(later.screen.indexOf("quiet")),
    /\[0n/,
  );
});
