/** One owner: whoever was superseded can do nothing any more. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { programOfProduct } from "../../src/kit/fixtures/product.ts";
import {
  type Server,
  TestHouse,
  root,
  say,
  seenUntil,
  turnEnded,
} from "./house.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";

/**
 * Begins to ask for a prompt. The server has read who asks and for what, so that it answers even if it is about to stop;
 * the text follows with `finish`, when the server may be frozen: the kernel keeps it until it wakes.
 */
const beginPrompt = async ({ url, token }: Server, session: string) => {
  const { hostname, port } = new URL(url);
  const asked = request({
    hostname,
    port,
    path: `/api/sessions/${session}/prompts`,
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      expect: "100-continue",
    },
  });
  asked.flushHeaders();
  await once(asked, "continue");
  const finish = async (text: string) => {
    asked.end(JSON.stringify({ text }));
    const [answer] = await once(asked, "response");
    let body = "";
    for await (const chunk of answer) body += String(chunk);
    return { status: answer.statusCode, body };
  };
  return { finish };
};

test("[REC-11] [REC-93] [P4] a frozen server that was superseded wakes: refused at the database and at agentctl, no byte reaches the agent", async () => {
  const tee = join(root, "test/agents/tee-stdin.ts");
  const demo = programOfProduct(
    "demo-agent",
    join(root, "src/programs/demo/main.ts"),
  );
  await using house = await TestHouse.make();
  const record = join(house.directory, "stdin.txt");
  const agents = {
    tapped: {
      command: [process.execPath, tee, record, "--", process.execPath, demo],
    },
  };
  await using tapped = await TestHouse.make({ agents });
  const first = await tapped.up();
  const session = await first.client.createSession({
    agent: "tapped",
    cwd: tapped.workspace,
    prompt: "hello",
  });
  await seenUntil(first.client, session.id, turnEnded(1));

  const prompt = await beginPrompt(first, session.id);
  first.process.kill("SIGSTOP");
  const late = prompt.finish("from the grave");
  // The lock of the operating system would keep a second server out: it is as if the file had been lost.
  await rm(join(tapped.home, "server.lock"));
  const second = await tapped.up();
  assert.match(
    await say(second.client, session.id, "to the new one"),
    /You said: to the new one/,
  );
  const before = await readFile(record, "utf8");

  first.process.kill("SIGCONT");
  // agentctl may tell the server first that it was superseded; it answers all the same before it stops (REC-93).
  const answer = await late;
  assert.equal(answer.status, 409, answer.body);
  assert.equal(JSON.parse(answer.body).code, "superseded");
  await new Promise((done) =>
    first.process.exitCode === null
      ? first.process.once("close", done)
      : done(null),
  );
  assert.equal(first.process.exitCode, 4);
  assert.match(first.printed(), /has taken over this home/);

  assert.match(
    await say(second.client, session.id, "still here"),
    /You said: still here/,
  );
  const after = await readFile(record, "utf8");
  assert.ok(after.startsWith(before));
  assert.ok(
    !after.includes("from the grave"),
    "no byte of it reached the agent",
  );
  const { events } = await second.client.listEvents(session.id, {
    limit: 1000,
  });
  assert.ok(!JSON.stringify(events).includes("from the grave"));
});

test("[REC-10] a frozen server holds its home until it is taken over, and then it is gone", async () => {
  await using house = await TestHouse.make();
  const first = await house.up();
  const session = await first.client.createSession({
    cwd: house.workspace,
    prompt: "remember pass=mellon",
  });
  await seenUntil(first.client, session.id, turnEnded(1));
  first.process.kill("SIGSTOP");
  const refused = await house.cli(["up", "--port", "0"]);
  assert.equal(refused.code, 4);
  assert.match(refused.err, /--take-over/);

  const second = await house.up({}, "--take-over");
  assert.equal(
    (await say(second.client, session.id, "recall pass")).trim(),
    "pass=mellon",
  );
  assert.equal(
    first.process.signalCode ??
      (await new Promise((done) =>
        first.process.once("exit", (_, signal) => done(signal)),
      )),
    "SIGKILL",
  );
});

/** Resolves when a process has stopped, as SIGSTOP stops it. */
const hasStopped = (pid: number | undefined): Promise<unknown> =>
  eventually(
    () => readFile(`/proc/${pid}/stat`, "latin1"),
    (stat) => /\) T /.test(stat),
  );

test("[REC-28] a server that froze the moment it held the home, before it said a word, is taken over", async () => {
  await using house = await TestHouse.make();
  const frozen = spawn(join(root, "bin/reprise"), ["up", "--port", "0"], {
    env: house.env({
      REPRISE_CRASH_AT: "server.held",
      REPRISE_CRASH_SIGNAL: "SIGSTOP",
    }),
    stdio: "ignore",
  });
  const ended = once(frozen, "exit");
  try {
    await hasStopped(frozen.pid);
    assert.equal(existsSync(join(house.home, "server.json")), false);
    const refused = await house.cli(["up", "--port", "0"]);
    assert.equal(refused.code, 4);
    assert.match(
      refused.err,
      new RegExp(`held by process ${frozen.pid}, which is starting`),
    );
    assert.match(refused.err, /--take-over/);
    const { client } = await house.up({}, "--take-over");
    assert.equal((await client.health()).status, "ok");
    assert.deepEqual(await ended, [null, "SIGKILL"]);
  } finally {
    frozen.kill("SIGKILL");
  }
});

test("[REC-28] so is one of which an older announcement tells something else", async () => {
  await using house = await TestHouse.make();
  const first = await house.up();
  await first.kill();
  const left = await readFile(join(house.home, "server.json"), "utf8");
  const second = await house.up();
  await writeFile(join(house.home, "server.json"), left);
  second.process.kill("SIGSTOP");
  const refused = await house.cli(["up", "--port", "0"]);
  assert.match(
    refused.err,
    new RegExp(`held by process ${second.process.pid}`),
  );
  const ended = once(second.process, "exit");
  await house.up({}, "--take-over");
  assert.deepEqual(await ended, [null, "SIGKILL"]);
});
