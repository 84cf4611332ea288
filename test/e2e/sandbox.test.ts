/** Sessions in sandboxes, from the request to the end of the last process. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { CreateSessionInput } from "../../src/contract/api/request.ts";
import { endDaemon } from "../../src/executors/fixtures/end-daemon.ts";
import { heldAt } from "../../src/kit/fixtures/held-turn.ts";
import { Latch } from "../../src/kit/fixtures/latch.ts";
import {
  eventually,
  patience,
  until,
} from "../../src/kit/fixtures/patience.ts";
import { markedProcesses } from "../../src/kit/processes/marked-processes.ts";
import { commandLines } from "../../src/kit/fixtures/command-lines.ts";
import { all, counted } from "./counting.ts";
import {
  say,
  seenUntil,
  type Server,
  spoken,
  TestHouse,
  turnEnded,
} from "./house.ts";
import { sh, skip, startIn } from "./sandboxes.ts";

/** The command line of a process that this run of the tests alone has. */
const sleep = (n: number): string => `sleep ${n}${process.pid}00`;

describe("a session in a sandbox", { skip }, () => {
  let house: TestHouse;
  let server: Server;
  before(async () => {
    house = await TestHouse.make();
    server = await house.up();
  });
  after(() => house[Symbol.asyncDispose]());

  const start = (more?: Partial<CreateSessionInput>) =>
    startIn(server.client, house.workspace, more);
  const ranIn = (id: string, script: string) =>
    server.client.execCommand(id, { argv: sh(script) });
  const stateOf = (id: string) => server.client.showSession(id);

  test("[SBX-1] [SBX-2] is asked for strictly, kept with the session, and kept by a fork", async () => {
    const { client } = server;
    for (const sandbox of [false, "on", { net: "on" }, { network: "some" }])
      await assert.rejects(
        // @ts-expect-error none of these is a sandbox
        client.createSession({ agent: "demo", cwd: house.workspace, sandbox }),
        { code: "invalid_request" },
      );
    const id = await start({ sandbox: { network: "off" }, home: "user" });
    const { definition } = await stateOf(id);
    assert.deepEqual(definition.sandbox, { network: "off" });
    assert.equal(definition.home, "session");
    await say(client, id, "write a.txt one");
    const fork = await client.forkSession(id, {});
    assert.deepEqual(fork.definition.sandbox, { network: "off" });
    await say(client, fork.id, "run cat /proc/net/dev >devices");
    const devices = await readFile(join(fork.cwd, "devices"), "utf8");
    assert.deepEqual(
      devices.match(/\w+(?=:)/g),
      ["lo"],
      "a fork is inside as well",
    );
    assert.match(
      (await house.cli(["session", "show", id])).out,
      /sandbox +network off/,
    );
  });

  test("[SBX-3] is refused where none can be made, before anything is", async () => {
    const { client } = server;
    const { length } = (await client.listSessions()).sessions;
    const refused = (more: Partial<CreateSessionInput>, code: string) =>
      assert.rejects(start(more), { code });
    await refused({ executor: "docker" }, "sandbox_unavailable");
    await refused({ cwd: house.directory }, "sandbox_unavailable");
    await refused({ cwd: "/" }, "sandbox_unavailable");
    await refused({ cwd: house.home }, "sandbox_unavailable");
    await assert.rejects(
      client.createSession({ sandbox: true, worktree: house.workspace }),
      { code: "not_supported" },
    );
    assert.equal((await client.listSessions()).sessions.length, length);
  });

  test("[SBX-5] [SBX-6] what runs in it reads and writes its directory, and nothing of the person or of Reprise", async () => {
    const secret = join(house.directory, "secret.txt");
    const beside = join(house.directory, "beside");
    await writeFile(secret, "hush-4711");
    await mkdir(beside, { recursive: true });
    const id = await start();
    const token = join(house.home, "token");
    const linkToken = join(house.home, "agentctl", "token");
    const script = [
      `cat ${secret} ${token} ${linkToken} ${house.home}/config.json ${house.home}/reprise.db /proc/1/root${secret} /etc/shadow >got 2>/dev/null`,
      `echo x >${beside}/x; echo x >${house.home}/x; echo x >/x; echo x >/usr/x; echo x >/etc/x`,
      "ls -A $HOME >names; echo mine >mine; echo x >$HOME/kept; grep -E '^(CapEff|NoNewPrivs)' /proc/self/status >caps",
      // Looked at, not tried: what can be written there is the machine's.
      "find /proc/sys /proc/sysrq-trigger -type f -writable >settings 2>/dev/null",
      "echo done >done",
    ].join("; ");
    const look = async () => {
      const read = (name: string) =>
        readFile(join(house.workspace, name), "utf8");
      assert.equal(await read("got"), "");
      assert.equal(await read("settings"), "");
      assert.equal(await read("mine"), "mine\n");
      assert.equal(await read("done"), "done\n");
      assert.match(await read("caps"), /CapEff:\s+0{16}\nNoNewPrivs:\s+1/);
      assert.ok(!(await read("names")).includes("secret"));
      for (const path of [beside, house.home, "/", "/usr", "/etc"])
        assert.ok(!existsSync(join(path, "x")), path);
      assert.ok(!existsSync(join(house.directory, "kept")));
    };
    await say(server.client, id, `run ${script}`);
    await look();
    await ranIn(id, script);
    await look();
    const argv: [string, ...string[]] = ["/bin/cat", secret];
    const named = await server.client.execCommand(id, { argv });
    assert.deepEqual([named.stdout, named.exit_code], ["", 1]);
  });

  test("[SBX-13] git is not run in its directory from outside, where its settings could run programs", async () => {
    const id = await start();
    await ranIn(id, "git init -q .");
    for (const look of [
      server.client.gitStatus(id),
      server.client.gitLog(id),
      server.client.gitDiff(id),
      server.client.gitBranches(id),
    ])
      await assert.rejects(look, {
        code: "not_supported",
        message: /Run git as a command of the session/,
      });
    assert.equal((await ranIn(id, "git log")).exit_code, 128);
    await ranIn(id, "rm -rf .git");
  });

  test("[SBX-14] what leads the loader to libraries works inside, and on no program that makes the sandbox", async () => {
    const id = await start({
      env: { LD_PRELOAD: join(house.workspace, "planted.so") },
    });
    // The loader complains of a library that is not there, for each program that it starts.
    const { stderr } = await ranIn(id, "printf %s $LD_PRELOAD >led");
    assert.equal(
      await readFile(join(house.workspace, "led"), "utf8"),
      join(house.workspace, "planted.so"),
    );
    assert.equal(stderr.match(/planted\.so/g)?.length, 1, stderr);
  });

  test("[SBX-8] commands are inside: their directory, their programs, their time", async () => {
    const id = await start();
    await mkdir(join(house.workspace, "below"), { recursive: true });
    const ran = await server.client.execCommand(id, {
      argv: sh("pwd; exit 7"),
      cwd: "below",
    });
    assert.deepEqual(
      [ran.stdout, ran.stderr, ran.exit_code],
      [`${house.workspace}/below\n`, "", 7],
    );
    await assert.rejects(
      server.client.execCommand(id, { argv: ["no-such-program"] }),
      { code: "command_not_started" },
    );
    const late = await server.client.execCommand(id, {
      argv: sh(
        `trap 'echo asked; exit 3' TERM; env -i setsid ${sleep(1)} & wait`,
      ),
      timeout_ms: patience(2000),
    });
    assert.deepEqual(
      [late.timed_out, late.stdout, late.exit_code],
      [true, "asked\n", 3],
    );
    assert.deepEqual(commandLines(sleep(1)), []);
  });

  test("[SBX-10] what is stopped leaves nothing, not even what cleared its environment", async () => {
    const id = await start();
    await say(
      server.client,
      id,
      `run (env -i setsid ${sleep(2)} >/dev/null 2>&1 &) ; true`,
    );
    await until(() => commandLines(sleep(2)).length === 1);
    const { processes } = await server.client.listProcesses(id);
    assert.ok(processes.every(({ command }) => !command.includes("bwrap")));
    await server.client.pauseSession(id);
    assert.deepEqual(commandLines(sleep(2)), []);
    assert.deepEqual(await markedProcesses(`REPRISE_SESSION_ID=${id}`), []);
  });

  test("[SBX-11] agentctl and the server are killed in the middle of a turn: it goes on, whole and inside", async () => {
    const id = await start();
    using latch = new Latch(house.workspace);
    await server.client.queuePrompt(id, { text: heldAt(latch) });
    await seenUntil(server.client, id, (event) => /\d/.test(spoken([event])));
    await endDaemon(house.home);
    await server.kill();
    server = await house.up();
    latch.open();
    await seenUntil(server.client, id, turnEnded(1));
    assert.deepEqual(await counted(server.client, id), all);
    await server.client.pauseSession(id);
    await server.client.resumeSession(id);
    await say(
      server.client,
      id,
      `run cat ${house.home}/token >again; echo over >over`,
    );
    assert.equal(await readFile(join(house.workspace, "again"), "utf8"), "");
    assert.equal(
      await readFile(join(house.workspace, "over"), "utf8"),
      "over\n",
    );
  });

  test("[SBX-3] [SBX-4] [SBX-12] without bubblewrap nothing is started outside: refused at first, an error later, and prompts are kept", async () => {
    const id = await start();
    await say(server.client, id, "remember colour=blue");
    await server.client.pauseSession(id);
    await server.stop();
    await endDaemon(house.home);
    server = await house.up({ REPRISE_BWRAP: "/nowhere/bwrap" });
    const { client } = server;
    await assert.rejects(start(), {
      code: "sandbox_unavailable",
      message: /Install it \(package bubblewrap\)/,
    });
    const { places } = await client.listExecutors();
    assert.equal(places[0]?.sandbox?.available, false);
    assert.match(places[0]?.sandbox?.why ?? "", /not installed/);
    await client.queuePrompt(id, { text: "recall colour" });
    const failed = await eventually(
      () => stateOf(id),
      ({ state }) => state === "ERROR",
    );
    assert.equal(failed.error_code, "sandbox_unavailable");
    assert.match(failed.error_message ?? "", /package bubblewrap/);
    assert.equal(failed.queued_prompts.length, 1);
    await assert.rejects(client.execCommand(id, { argv: ["true"] }), {
      code: "sandbox_unavailable",
    });
    await assert.rejects(client.openShell(id), { code: "sandbox_unavailable" });

    await server.stop();
    await endDaemon(house.home);
    server = await house.up();
    await server.client.resumeSession(id);
    await eventually(
      () => stateOf(id),
      ({ turn_count }) => turn_count === 2,
    );
    const { messages } = await server.client.listMessages(id);
    assert.ok(messages.some(({ text }) => text.includes("colour=blue")));
  });
});
