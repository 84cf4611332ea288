import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import { endDaemon } from "../../src/executors/fixtures/end-daemon.ts";
import { until } from "../../src/kit/fixtures/patience.ts";
import { markedProcesses } from "../../src/kit/processes/marked-processes.ts";
import { TestHouse } from "./house.ts";

/** Leaves processes in process sessions of their own. */
const ESCAPES = "setsid sh -c 'setsid sleep 4000 & sleep 4000' & ";
const sh = (script: string): [string, ...string[]] => ["sh", "-c", script];

const house = await TestHouse.make();
after(() => house[Symbol.asyncDispose]());
let server = await house.up();

const session = (
  await server.client.createSession({
    agent: "demo",
    cwd: house.workspace,
    env: { SESSION_OWN: "of the session" },
  })
).id;

const running = () => markedProcesses(`REPRISE_SESSION_ID=${session}`);
const isEscaped = async () => (await running()).length >= 3;

test("[RUN-1] [RUN-3] [RUN-7] a command runs while the agent runs, and when the session is paused", async () => {
  const { client } = server;
  const ask = () =>
    client.execCommand(session, {
      argv: sh("pwd; echo $SESSION_OWN $GIVEN; printf '\\377'"),
      env: { GIVEN: "by the request" },
    });
  const ran = await ask();
  assert.equal(
    ran.stdout,
    `${house.workspace}\nof the session by the request\n\ufffd`,
  );
  assert.deepEqual([ran.exit_code, ran.stdout_truncated], [0, false]);
  await client.pauseSession(session);
  assert.equal((await ask()).stdout, ran.stdout);
  const bytes = await client.execCommand(session, {
    argv: ["printf", "\\377\\0"],
    encoding: "base64",
  });
  assert.equal(bytes.stdout, Buffer.from([0xff, 0]).toString("base64"));
});

test("[RUN-9] the same key runs a command once, and gets the same answer; another request with it is refused", async () => {
  const { client } = server;
  const argv = sh("echo again >>times; head -c 100000 /dev/zero | tr '\\0' x");
  const env = { SECRET: "one" };
  const first = await client.execCommand(session, { argv, env }, { key: "k1" });
  const second = await client.execCommand(
    session,
    { argv, env },
    { key: "k1" },
  );
  assert.equal(second.id, first.id);
  assert.equal(first.stdout.length, 100_000);
  assert.equal(second.stdout.length, 64 * 1024);
  assert.deepEqual(
    [first.stdout_truncated, second.stdout_truncated],
    [false, true],
  );
  const { stdout } = await client.execCommand(session, {
    argv: ["cat", "times"],
  });
  assert.equal(stdout, "again\n");
  await assert.rejects(
    client.execCommand(
      session,
      { argv, env: { SECRET: "two" } },
      { key: "k1" },
    ),
    { code: "idempotency_conflict" },
  );
  // What was refused before it began can be tried again.
  const late = { argv: ["./later"] as [string] };
  await assert.rejects(client.execCommand(session, late, { key: "k2" }), {
    code: "command_not_started",
  });
  await writeFile(join(house.workspace, "later"), "#!/bin/sh\necho now\n", {
    mode: 0o755,
  });
  const tried = await client.execCommand(session, late, { key: "k2" });
  assert.equal(tried.stdout, "now\n");
});

test("[RUN-5] a command whose caller goes away is ended, with all that it started", async () => {
  const leaving = new AbortController();
  const asked = server.client.execCommand(
    session,
    { argv: sh(`${ESCAPES} sleep 4000`) },
    { signal: leaving.signal, key: "left" },
  );
  await until(isEscaped);
  leaving.abort();
  await assert.rejects(asked);
  await until(async () => (await running()).length === 0);
  const again = await server.client.execCommand(
    session,
    { argv: sh(`${ESCAPES} sleep 4000`) },
    { key: "left" },
  );
  assert.deepEqual([again.cancelled, again.exit_code], [true, null]);
});

test("[RUN-11] [RUN-17] the command line passes on output and exit code, and lists and ends processes", async () => {
  const run = (...args: string[]) => house.cli(["session", ...args]);
  const seven = await run("exec", session, "--", ...sh("echo hi; exit 7"));
  assert.deepEqual([seven.code, seven.out, seven.err], [7, "hi\n", ""]);
  const dashes = await run("exec", session, "--", "echo", "--json", "--", "-h");
  assert.equal(dashes.out, "--json -- -h\n");
  const killed = await run("exec", session, "--", ...sh("kill -9 $$"));
  assert.equal(killed.code, 137);
  const late = await run("exec", session, "--timeout", "1", "--", "sleep", "9");
  assert.equal(late.code, 124);
  assert.match(late.err, /ended at its deadline/);
  const json = await run("exec", session, "--json", "--", ...sh("exit 3"));
  assert.equal(json.code, 3);
  assert.equal(JSON.parse(json.out).exit_code, 3);
  const missing = await run("exec", session, "--", "no-such-program");
  assert.equal(missing.code, 1);
  assert.match(missing.err, /no such program/);
  assert.equal((await run("exec", session)).code, 2);
  assert.equal((await run("exec", "ses_zz", "--", "true")).code, 3);

  const exec = server.client.execCommand(session, {
    argv: sh("trap : USR1; printf '\\033[31m'; exec sleep 7777"),
  });
  const sleeping = async () =>
    (await server.client.listProcesses(session)).processes.find(
      ({ command }) => command === "sleep 7777",
    );
  await until(async () => (await sleeping()) !== undefined);
  const listed = await run("processes", session);
  assert.match(listed.out, /PID +BY +AGE/);
  assert.match(listed.out, /exec .* sleep 7777\n/);
  const { pid } = (await sleeping()) ?? { pid: 0 };
  const ended = await run("processes", session, "--end", String(pid));
  assert.equal(ended.code, 0, ended.err);
  assert.equal((await exec).signal, "SIGTERM");
  assert.match((await run("processes", session)).out, /Nothing runs/);
});

test("[RUN-8] [RUN-9] a server that is killed takes its commands along, and says so when it is asked again", async () => {
  const body = { argv: sh(`touch begun; ${ESCAPES} sleep 4000`) };
  const asked = server.client.execCommand(session, body, { key: "cut" });
  const lost = assert.rejects(asked);
  await until(isEscaped);
  await server.kill();
  await lost;
  await until(async () => (await running()).length === 0);
  server = await house.up();
  assert.ok(existsSync(join(house.workspace, "begun")));
  await assert.rejects(
    server.client.execCommand(session, body, { key: "cut" }),
    (error) => error instanceof RepriseError && error.code === "exec_unknown",
  );
  const { stdout } = await server.client.execCommand(session, {
    argv: ["echo", "on"],
  });
  assert.equal(stdout, "on\n");
});

test("[RUN-8] [RUN-9] a command whose agentctl is killed is unknown, and the next one ends what it left", async () => {
  const body = { argv: sh(`${ESCAPES} sleep 4000`) };
  const asked = server.client.execCommand(session, body, { key: "cut2" });
  const lost = assert.rejects(asked, { code: "exec_unknown" });
  await until(isEscaped);
  await endDaemon(house.home);
  await lost;
  await assert.rejects(
    server.client.execCommand(session, body, { key: "cut2" }),
    { code: "exec_unknown" },
  );
  const { exit_code } = await server.client.execCommand(session, {
    argv: ["true"],
  });
  assert.equal(exit_code, 0);
  assert.deepEqual(await running(), []);
});

test("[RUN-15] a session whose agent is brought back tells which of its processes are gone", async () => {
  const { client } = server;
  const runs = async (command: string) =>
    (await client.listProcesses(session)).processes.some((it) =>
      it.command.startsWith(command),
    );
  const prompt = await client.queuePrompt(session, {
    text: "run mkfifo go; setsid sh -c 'read word <go; exec sleep 8888' >/dev/null 2>&1 </dev/null &",
  });
  await until(
    async () =>
      (await client.showPrompt(session, prompt.id)).state === "done" &&
      (await runs("sh -c read word")),
  );
  // The same process has another command now than when the turn ended.
  await writeFile(join(house.workspace, "go"), "on\n");
  await until(() => runs("sleep 8888"));
  await client.pauseSession(session);
  assert.deepEqual(await running(), []);
  await client.resumeSession(session);
  const told = async () =>
    (await client.listEvents(session, { limit: 1000 })).events.find(
      ({ type, data }) =>
        type === "session.notice" && data.code === "processes_gone",
    );
  await until(async () => (await told()) !== undefined);
  const notice = await told();
  assert.ok(notice?.type === "session.notice");
  assert.match(notice.data.text, /`sleep 8888`/);
  assert.equal(notice.data.processes?.[0]?.command, "sleep 8888");
});

test("[RUN-1] a session that is over runs no commands", async () => {
  const { client } = server;
  await client.endSession(session);
  await assert.rejects(client.execCommand(session, { argv: ["true"] }), {
    code: "session_ended",
  });
  await client.deleteSession(session);
  await assert.rejects(client.execCommand(session, { argv: ["true"] }), {
    code: "session_deleted",
  });
});
