import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { linkMethods, type LinkResult } from "../../contract/link/link.ts";
import { eventually, patience, until } from "../../kit/fixtures/patience.ts";
import { markedProcesses } from "../../kit/processes/marked-processes.ts";
import { ulid } from "../../kit/data/ulid.ts";
import { type Bench, withBench, withDaemon } from "../fixtures/bench.ts";
import { newSession } from "../fixtures/ids.ts";
import type { TestLink } from "../fixtures/test-link.ts";

const orderOf = (
  bench: Bench,
  argv: string[],
  more: object = {},
): Record<string, unknown> & { command_id: string; session_id: string } => {
  const { definition, env } = bench.order("demo");
  return {
    command_id: `cmd_${ulid(Date.now())}`,
    session_id: newSession(),
    cwd: bench.home,
    within: ".",
    argv,
    agent: { definition, env, token: null },
    env: {},
    stdin: "",
    timeout_ms: 60_000,
    ...more,
  };
};

const exec = async (link: TestLink, order: object) => {
  const result: LinkResult<"exec"> = linkMethods.exec.result.parse(
    await link.call("exec", order),
  );
  const text = (base64: string) => Buffer.from(base64, "base64").toString();
  return { ...result, out: text(result.stdout), err: text(result.stderr) };
};

const marked = ({ command_id }: { command_id: string }) =>
  markedProcesses(`REPRISE_EXEC=${command_id}`);

const sh = (script: string): string[] => ["/bin/sh", "-c", script];

test("[RUN-1] a command gets its arguments as they are, prints, and says how it ended", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const odd = ["printf", "%s|", "a b", "$HOME", "`x`", "", "'\"\n"];
    const printed = await exec(link, orderOf(bench, odd));
    assert.equal(printed.out, "a b|$HOME|`x`||'\"\n|");
    assert.deepEqual([printed.exit_code, printed.signal], [0, null]);
    const failed = await exec(link, orderOf(bench, sh("echo no >&2; exit 7")));
    assert.deepEqual(
      [failed.exit_code, failed.out, failed.err],
      [7, "", "no\n"],
    );
    const killed = await exec(link, orderOf(bench, sh("kill -9 $$")));
    assert.deepEqual([killed.exit_code, killed.signal], [null, "SIGKILL"]);
    const stdin = await exec(link, orderOf(bench, ["cat"], { stdin: "héllo" }));
    assert.equal(stdin.out, "héllo");
    assert.equal((await exec(link, orderOf(bench, ["cat"]))).out, "");
  }));

test("[RUN-2] it runs in the workspace or below it, and nowhere else", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    await mkdir(join(bench.home, "work/in"), { recursive: true });
    await mkdir(join(bench.home, "out"));
    await symlink("in", join(bench.home, "work/inside"));
    await symlink("../out", join(bench.home, "work/outside"));
    await writeFile(join(bench.home, "work/file"), "");
    const cwd = join(bench.home, "work");
    const at = (within: string) =>
      exec(link, orderOf(bench, ["pwd", "-P"], { cwd, within }));
    assert.equal((await at(".")).out, `${cwd}\n`);
    assert.equal((await at("in")).out, `${cwd}/in\n`);
    assert.equal((await at("inside")).out, `${cwd}/in\n`);
    for (const within of ["..", "in/../../out", "outside", "/", "/tmp"])
      await assert.rejects(at(within), { code: "path_outside" }, within);
    for (const within of ["gone", "file", "in/gone"])
      await assert.rejects(at(within), { code: "workspace_unreadable" });
  }));

test("[RUN-18] a directory that is swapped for a link while a command is started leads no command out", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const cwd = join(bench.home, "work");
    await mkdir(join(cwd, "dir"), { recursive: true });
    await mkdir(join(bench.home, "out"));
    await symlink("../out", join(cwd, "other"));
    const inside = await stat(join(cwd, "dir"));
    const program = resolve(import.meta.dirname, "../fixtures/swapper.ts");
    const swapper = spawn(
      process.execPath,
      [program, join(cwd, "dir"), join(cwd, "other")],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    /** What a command was told, or why there was none. */
    const round = (): Promise<string> =>
      exec(
        link,
        orderOf(bench, ["stat", "-c", "%i", "."], { cwd, within: "dir" }),
      ).then(
        ({ out }) => out.trim(),
        (error: unknown) => {
          assert.ok(error instanceof Error && "code" in error);
          return String(error.code);
        },
      );
    const seen = new Map<string, number>();
    const times = (what: string): number => seen.get(what) ?? 0;
    try {
      await once(swapper.stdout, "data");
      // Only commands that ran show where they ran, and only those that were refused that something was swapped.
      await eventually(
        async () => {
          const told = await round();
          seen.set(told, times(told) + 1);
        },
        () => times(`${inside.ino}`) >= 10 && times("path_outside") >= 10,
      );
      const allowed = [`${inside.ino}`, "path_outside", "workspace_unreadable"];
      assert.deepEqual(
        [...seen.keys()].filter((told) => !allowed.includes(told)),
        [],
      );
    } finally {
      swapper.kill("SIGKILL");
      await once(swapper, "close");
    }
  }));

test("[RUN-3] its environment is the agent's, with the request's over it, a mark of its own, and nothing of ours", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = orderOf(bench, ["env"], { env: { ADDED: "1", OWN: "mine" } });
    const agent = {
      definition: bench.order("demo").definition,
      token: null,
      env: {
        PATH: process.env["PATH"] ?? "",
        OWN: "session's",
        REPRISE_EXECUTION: "exe_of_another",
        REPRISE_MCP_1: "secret",
      },
    };
    const { out } = await exec(link, { ...order, agent });
    const names = (name: string) =>
      out.split("\n").filter((line) => line.startsWith(`${name}=`));
    assert.deepEqual(names("OWN"), ["OWN=mine"]);
    assert.deepEqual(names("ADDED"), ["ADDED=1"]);
    assert.deepEqual(names("REPRISE_EXEC"), [
      `REPRISE_EXEC=${order.command_id}`,
    ]);
    assert.deepEqual(names("REPRISE_SESSION_ID"), [
      `REPRISE_SESSION_ID=${order.session_id}`,
    ]);
    assert.deepEqual(names("REPRISE_EXECUTION"), []);
    assert.doesNotMatch(out, /secret/);
    assert.deepEqual(names("NODE_OPTIONS"), []);
  }));

test("[RUN-3] the PATH is the one that the session's agent was last started with", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = orderOf(bench, ["only-here"]);
    const programs = join(bench.home, "programs");
    await mkdir(programs);
    await writeFile(join(programs, "only-here"), "#!/bin/sh\necho found\n", {
      mode: 0o755,
    });
    const paths = join(bench.home, "agentctl/paths", order.session_id);
    await mkdir(paths, { recursive: true });
    await writeFile(join(paths, "PATH"), programs);
    const definition = bench.order("demo").definition;
    const env = { PATH: "/usr/bin:/bin" };
    const agent = { definition, env, token: null, path_from: "server" };
    assert.equal((await exec(link, { ...order, agent })).out, "found\n");
  }));

test("[RUN-3] no value of its environment is in a file of agentctl", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const secret = "sehr-geheim-4711";
    await exec(link, orderOf(bench, ["true"], { env: { KEY: secret } }));
    const directory = join(bench.home, "agentctl");
    const entries = await readdir(directory, {
      recursive: true,
      withFileTypes: true,
    });
    for (const entry of entries.filter((each) => each.isFile()))
      assert.doesNotMatch(
        await readFile(join(entry.parentPath, entry.name), "latin1"),
        new RegExp(secret),
        entry.name,
      );
  }));

/** Leaves processes in process sessions of their own, by a double fork. */
const ESCAPES = "setsid sh -c 'sleep 1000 & setsid sleep 1000 & sleep 1000' & ";

/** After so long a shell has certainly said a word, or set its trap. */
const TO_BEGIN_MS = Math.min(patience(1000), 5000);

test("[RUN-4] [RUN-5] at its deadline a command ends with all that it started, and what it printed is told", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = orderOf(bench, sh(`echo begun; ${ESCAPES} sleep 1000`), {
      timeout_ms: TO_BEGIN_MS,
    });
    const ran = await exec(link, order);
    assert.deepEqual([ran.timed_out, ran.cancelled], [true, false]);
    assert.equal(ran.out, "begun\n");
    assert.deepEqual(await marked(order), []);
  }));

test("[RUN-4] what does not heed SIGTERM is killed; what does may say so", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const timeout_ms = TO_BEGIN_MS;
    const deaf = sh("trap '' TERM; echo deaf; while :; do sleep 1; done");
    const killed = await exec(link, orderOf(bench, deaf, { timeout_ms }));
    assert.deepEqual([killed.signal, killed.timed_out], ["SIGKILL", true]);
    const polite = sh(
      "trap 'echo cleaned; exit 3' TERM; echo on; while :; do sleep 0.05; done",
    );
    const ended = await exec(link, orderOf(bench, polite, { timeout_ms }));
    assert.deepEqual([ended.exit_code, ended.timed_out], [3, true]);
    assert.equal(ended.out, "on\ncleaned\n");
  }));

test("[RUN-5] a command that is over leaves nothing in the background, and does not wait for it", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = orderOf(bench, sh(`${ESCAPES} echo done`));
    const ran = await exec(link, order);
    assert.deepEqual([ran.exit_code, ran.out], [0, "done\n"]);
    assert.ok(ran.took_ms < 30_000);
    assert.deepEqual(await marked(order), []);
  }));

test("[RUN-6] an endless output takes no memory, its last mebibyte is told, and others are answered meanwhile", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const before = process.memoryUsage().rss;
    const flood = exec(
      link,
      orderOf(bench, ["yes", "0123456"], {
        timeout_ms: 1500,
      }),
    );
    const asked = performance.now();
    await link.call("executions", {});
    assert.ok(
      performance.now() - asked < patience(1000),
      "the flood holds others up",
    );
    const ran = await flood;
    assert.equal(ran.out.length, 1024 * 1024);
    assert.ok(ran.stdout_bytes > 2 * 1024 * 1024);
    assert.match(ran.out.slice(8, 32), /^(\d*\n?)+$/);
    const grown = process.memoryUsage().rss - before;
    assert.ok(grown < 200 * 1024 * 1024, `${grown}`);
  }));

test("[RUN-5] [RUN-8] a command ends when its link does, and when it is cancelled", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const [first, second] = [1, 2].map(() =>
      orderOf(bench, sh(`${ESCAPES} sleep 1000`)),
    );
    assert.ok(first && second);
    const lost = exec(link, first).catch(() => "lost");
    await until(async () => (await marked(first)).length >= 4);
    link.drop();
    assert.equal(await lost, "lost");
    await until(async () => (await marked(first)).length === 0);
    const other = await bench.link();
    const cancelled = exec(other, second);
    await until(async () => (await marked(second)).length >= 4);
    const { command_id } = second;
    await other.call("cancel_exec", { command_id });
    assert.equal((await cancelled).cancelled, true);
    assert.deepEqual(await marked(second), []);
  }));

test("[RUN-8] what commands of a killed agentctl left is ended before the next one answers anybody", () =>
  withDaemon(async (bench) => {
    const link = await bench.link();
    const order = orderOf(bench, sh(`${ESCAPES} sleep 1000`));
    const lost = exec(link, order).catch(() => "lost");
    await until(async () => (await marked(order)).length >= 4);
    await bench.daemon.kill();
    assert.equal(await lost, "lost");
    assert.ok((await marked(order)).length >= 4);
    await bench.daemonUp();
    await bench.link(2);
    assert.deepEqual(await marked(order), []);
    const file = join(bench.home, "agentctl/commands", order.command_id);
    assert.equal(existsSync(file), false);
  }));

test("[RUN-10] one command more than may run is refused; so is a program that cannot be started", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const orders = Array.from({ length: 16 }, () =>
      orderOf(bench, ["sleep", "1000"]),
    );
    const running = orders.map((order) => exec(link, order));
    await assert.rejects(exec(link, orderOf(bench, ["true"])), {
      code: "too_many_commands",
    });
    for (const { command_id } of orders)
      await link.call("cancel_exec", { command_id });
    // One that was not started yet is refused.
    await Promise.allSettled(running);
    await writeFile(join(bench.home, "text"), "no program");
    for (const program of ["no-such-program", "./text", "./gone/x", bench.home])
      await assert.rejects(
        exec(link, orderOf(bench, [program])),
        { code: "command_not_started" },
        program,
      );
    assert.deepEqual(await readdir(join(bench.home, "agentctl/commands")), []);
    assert.equal((await exec(link, orderOf(bench, ["true"]))).exit_code, 0);
  }));

test("[RUN-8] another home cannot cancel a command", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = orderOf(bench, sh("read line; echo $line"), {
      timeout_ms: 1000,
    });
    const stranger = await bench.link(1, `own_${"0".repeat(26)}`);
    const running = exec(link, order);
    await stranger.call("cancel_exec", { command_id: order.command_id });
    assert.equal((await running).cancelled, false);
  }));
