/** What the executor does with a host: what it sends, whom it starts and ends there. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, test, type TestContext } from "node:test";
import { ExecutionId, OwnerId, SessionId } from "../../contract/base/id.ts";
import type { StartOrder } from "../../contract/link/link.ts";
import { ulid } from "../../kit/data/ulid.ts";
import { HELD_WORDS, heldAt } from "../../kit/fixtures/held-turn.ts";
import { Latch } from "../../kit/fixtures/latch.ts";
import { eventually, patience } from "../../kit/fixtures/patience.ts";
import { Attendant } from "../fixtures/attendant.ts";
import { promptTo } from "../fixtures/stage.ts";
import { sshExecutors, type SshParts } from "./executors.ts";
import { SshHost, whyNoSshd } from "./fixtures/ssh-host.ts";

const at = { kind: "ssh", id: "box" };

/** A host, and servers of one home that use it. */
const stageOf = async (t: TestContext) => {
  const scratch = await mkdtemp(join(tmpdir(), "reprise-ssh-server-"));
  const home = join(scratch, "home");
  await mkdir(home);
  const host = await SshHost.start();
  const owner = OwnerId.parse(`own_${ulid(Date.now())}`);
  const told: { facts: object; words: string }[] = [];
  const tell = (facts: object, words: string): void =>
    void told.push({ facts, words });
  const all: ReturnType<typeof sshExecutors>[] = [];
  t.after(async () => {
    for (const each of all) await each.close();
    await host[Symbol.asyncDispose]();
    await rm(scratch, { recursive: true, force: true });
  });
  const server = (more: Partial<SshParts> = {}) => {
    const made = sshExecutors({
      hosts: { box: host.settings },
      home,
      owner,
      version: "1.0.0",
      log: { info: tell, warn: tell, error: tell },
      ...more,
    });
    all.push(made);
    return made;
  };
  const order = (): StartOrder => ({
    execution_id: ExecutionId.parse(`exe_${ulid(Date.now())}`),
    session_id: SessionId.parse(`ses_${ulid(Date.now())}`),
    epoch: 1,
    definition: { agent: "demo", home: "user", env_names: [] },
    cwd: host.workspace,
    env: { DEMO_HOME: join(scratch, "demo") },
    open: { kind: "new" },
    predecessors: [],
    deadline_ms: patience(20_000),
  });
  const sent = (): number =>
    told.filter(({ words }) => words.startsWith("sending programs")).length;
  return { host, home, server, order, sent, told };
};

describe("a host of ssh", { skip: (await whyNoSshd()) ?? false }, () => {
  test("[SSH-4] is sent what it lacks, once; what was sent by half is not used; several releases lie side by side", async (t) => {
    const { host, server, sent } = await stageOf(t);
    const programs = join(host.home, "programs");
    const first = server();
    assert.equal(await first.find(at, 1), null);
    assert.equal(await readdir(host.home).catch(() => null), null);
    await first.obtain(at, 1);
    assert.equal(sent(), 2);
    const names = await readdir(programs);
    assert.equal(names.length, 2);
    await first.close();

    await server().obtain(at, 2);
    assert.equal(sent(), 2);

    // As a connection leaves it that was cut.
    const [runtime = ""] = names.filter((name) => name.startsWith("runtime"));
    await rm(join(programs, runtime), { recursive: true });
    await mkdir(join(programs, `.sent-${runtime}.1`, runtime), {
      recursive: true,
    });
    await server().obtain(at, 3);
    assert.equal(sent(), 3);
    assert.ok((await stat(join(programs, runtime, "node"))).isFile());
  });

  test("[SSH-2] the token is in no argument, no variable and no log", async (t) => {
    const { host, server, told } = await stageOf(t);
    const place = await server().obtain(at, 1);
    const path = join(host.home, "agentctl", "token");
    const token = (await readFile(path, "utf8")).trim();
    assert.equal(token.length, 64);
    assert.ok(!JSON.stringify(told).includes(token));
    for (const pid of await readdir("/proc"))
      for (const file of ["cmdline", "environ"]) {
        const text = await readFile(`/proc/${pid}/${file}`, "utf8").catch(
          () => "",
        );
        assert.ok(!text.includes(token), `${pid}/${file}`);
      }
    assert.ok(!place.url.includes(token));
  });

  test("[SSH-5] [P2] when ssh ends the link is lost at once, and the next one has the rest of the turn", async (t) => {
    const { host, server, order } = await stageOf(t);
    const executors = server();
    const place = await executors.obtain(at, 1);
    const started = order();
    const { execution_id, epoch } = started;
    const before = new Attendant(place, started);
    await place.start(started);
    await before.first("ready");
    using latch = new Latch(host.workspace);
    await promptTo(place, started, heldAt(latch));
    await before.first("text");
    await before.drained();
    await host.cut();
    await place.closed;
    latch.open();
    const next = await executors.obtain(at, 1);
    assert.equal(next.pid, place.pid);
    const later = new Attendant(next, started, before.taken);
    await next.attach({ execution_id, epoch, from: before.taken });
    await later.first("turn_ended");
    assert.equal(before.text() + later.text(), HELD_WORDS);
  });

  test("[SSH-8] [LNK-32] an older build makes room for a newer one, an agentctl that is frozen is ended, and the agent notices neither", async (t) => {
    const { host, server, order } = await stageOf(t);
    const place = await server().obtain(at, 1);
    const started = order();
    const attendant = new Attendant(place, started);
    await place.start(started);
    await attendant.first("ready");
    const pidFile = join(
      host.home,
      "agentctl/executions",
      started.execution_id,
      "pid",
    );
    const agent = await readFile(pidFile, "utf8");

    const newer = server({ version: "1.1.0", silenceMs: patience(2000) });
    const second = await newer.obtain(at, 2);
    assert.match(second.build, /^1\.1\.0-/);
    assert.notEqual(second.pid, place.pid);
    assert.equal((await second.executions())[0]?.alive, true);

    const { pid } = second;
    assert.ok(pid !== null);
    await newer.leave(at);
    process.kill(pid, "SIGSTOP");
    const third = await newer.obtain(at, 2);
    assert.notEqual(third.pid, pid);
    assert.equal((await third.executions())[0]?.alive, true);
    assert.equal(await readFile(pidFile, "utf8"), agent);
  });

  test("[SSH-1] [SSH-8] a relay ends with its connection, and when it hears nothing any more; it ends no agentctl that answers", async (t) => {
    const { host, server } = await stageOf(t);
    const { pid } = await server().obtain(at, 1);
    assert.ok(pid !== null);
    const relays = async (): Promise<string[][]> => {
      const found: string[][] = [];
      for (const pid of await readdir("/proc")) {
        const path = `/proc/${pid}/cmdline`;
        const command = await readFile(path, "utf8").catch(() => "");
        const argv = command.split("\0").slice(0, -1);
        if (argv.includes(host.home) && argv[0]?.includes("/lib/ld-"))
          if (argv.some((word) => word.endsWith("/ssh-relay.js")))
            found.push(argv);
      }
      return found;
    };
    const [argv, ...others] = await relays();
    assert.ok(argv !== undefined && others.length === 0);
    await host.down();
    await eventually(relays, (found) => found.length === 0);

    const [file = "", ...args] = argv;
    const after = ["--silent", "--idle-ms", "100"];
    const silent = spawn(file, [...args, ...after], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const ended = once(silent, "exit");
    const [line] = await once(createInterface(silent.stdout), "line");
    assert.equal(JSON.parse(String(line)).kind, "connected");
    assert.equal((await ended)[0], 0);
    process.kill(pid, 0);
  });

  test("[SSH-6] what a profile prints is skipped, also without an end of line", async (t) => {
    const { host, server } = await stageOf(t);
    await host.greet("Welcome to\n$(uname)\nDon't panic. ");
    await server().obtain(at, 1);
  });

  test("[SSH-4] is sent nothing but what belongs to Reprise, whatever it says that it lacks", async (t) => {
    const { host, server, sent } = await stageOf(t);
    const machine = process.arch === "arm64" ? "aarch64" : "x86_64";
    for (const names of ["../../secret", "", ".", `${"x".repeat(5000)} y`]) {
      await host.greet(`@reprise\non Linux ${machine}\nlacks ${names}\n`);
      await assert.rejects(server().obtain(at, 1), {
        code: "host_not_usable",
        message: /asks for something that does not belong to Reprise/,
      });
    }
    assert.equal(sent(), 0);
  });

  test("[SSH-11] who only looks starts nobody, also where somebody was before", async (t) => {
    const { host, server } = await stageOf(t);
    const executors = server();
    const place = await executors.obtain(at, 1);
    assert.equal((await executors.find(at, 1))?.pid, place.pid);
    await host.killAgentctl();
    await place.closed;
    assert.equal(await executors.find(at, 1), null);
    assert.notEqual((await executors.obtain(at, 1)).pid, place.pid);
    await host.down();
    await executors.leave(at);
    await assert.rejects(executors.find(at, 1), {
      code: "agentctl_unavailable",
    });
  });

  test("[SSH-7] a machine of another kind is told what it is", async (t) => {
    const { host, server } = await stageOf(t);
    const bin = join(host.directory, "bin");
    await mkdir(bin);
    await writeFile(join(bin, "uname"), "#!/bin/sh\necho Darwin arm64\n", {
      mode: 0o755,
    });
    await host.restart({ PATH: `${bin}:/usr/bin:/bin` });
    await assert.rejects(server().obtain(at, 1), {
      code: "host_not_usable",
      message: /is Darwin on arm64, and this server is linux/,
    });
  });
});
