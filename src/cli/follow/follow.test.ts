import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeServer } from "../fixtures/fake-server.ts";
import { runCli } from "../fixtures/run-cli.ts";
import {
  AT,
  PROMPT,
  SESSION,
  became,
  numbered,
  queued,
  said,
  saidMore,
  samplePrompt,
  sampleSession,
  turnEnded,
  wholeTurn,
} from "../fixtures/sample.ts";

test("--follow streams the turn and ends with it", async (t) => {
  const server = await fakeServer(t, {
    createSession: () => sampleSession({ state: "STARTING", last_seq: 1 }),
  });
  const [first, ...rest] = numbered(1, wholeTurn);
  assert.ok(first);
  server.publish(first);
  const running = runCli(t, ["session", "start", "go", "--follow"], {
    url: server.url,
    watch: (sofar) => {
      // Only now: the rest is seen because it is followed.
      if (sofar.includes("started") && rest.length > 0)
        server.publish(...rest.splice(0));
    },
  });
  const { code, stdout, stderr } = await running;
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  assert.equal(
    stdout,
    `${SESSION} started: demo in /work\n> go\none, two\n── turn 1 completed (end_turn)\n`,
  );
});

test("[CPT-2] --follow says that a prompt waits for its workspace to be captured", async (t) => {
  const server = await fakeServer(t, {
    createSession: () => sampleSession({ state: "STARTING", last_seq: 1 }),
  });
  const [asked, ...rest] = wholeTurn;
  assert.ok(asked);
  server.publish(
    ...numbered(1, [became("STARTING"), asked, became("WAITING_FOR_INPUT")]),
  );
  const after = numbered(4, rest);
  const { code, stderr } = await runCli(
    t,
    ["session", "start", "go", "--follow"],
    {
      url: server.url,
      watchErrors: () => server.publish(...after.splice(0)),
    },
  );
  assert.equal(code, 0);
  assert.equal(stderr, "(saving the workspace as it is …)\n");
});

test("--follow with --json prints events, one per line", async (t) => {
  const server = await fakeServer(t, {
    createSession: () => sampleSession({ last_seq: 1 }),
  });
  server.publish(...numbered(1, wholeTurn));
  const { code, stdout } = await runCli(
    t,
    ["session", "start", "go", "--follow", "--json"],
    { url: server.url },
  );
  assert.equal(code, 0);
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    events.map(({ seq }) => seq),
    [1, 2, 3, 4, 5, 6],
  );
});

test("a turn that fails ends --follow with 1", async (t) => {
  let seq = 0;
  const server = await fakeServer(t, {
    showSession: () => sampleSession({ last_seq: seq }),
    queuePrompt: () => {
      seq = 1;
      server.publish(
        ...numbered(1, [
          queued,
          became("RUNNING"),
          turnEnded("failed"),
          became("WAITING_FOR_INPUT"),
        ]),
      );
      return samplePrompt;
    },
  });
  const { code, stdout } = await runCli(
    t,
    ["session", "prompt", SESSION, "go", "--follow"],
    { url: server.url },
  );
  assert.equal(code, 1);
  assert.match(stdout, /turn 1 failed.*\n.*no credit/);
});

test("[P1] a prompt whose key was used before is not sent again: its answer is shown", async (t) => {
  const events = numbered(1, wholeTurn);
  const server = await fakeServer(t, {
    showSession: () => sampleSession({ last_seq: 40, turn_count: 1 }),
    queuePrompt: () => samplePrompt,
    showPrompt: () => ({ ...samplePrompt, state: "done", turn: 1 }),
    listMessages: () => ({
      messages: [{ id: "msg_3", turn: 1, role: "user", text: "go", at: AT }],
      next: null,
    }),
  });
  server.publish(...events);
  const argv = ["session", "prompt", SESSION, "go", "--key", "k1"];
  const options = { url: server.url };
  const followed = await runCli(t, [...argv, "--follow"], options);
  assert.deepEqual(
    [followed.code, followed.stdout],
    [
      0,
      `${PROMPT} is done already; nothing was sent again.\n> go\none, two\n── turn 1 completed (end_turn)\n`,
    ],
  );
  const [sent] = server.asked.filter(({ name }) => name === "queuePrompt");
  assert.equal(sent?.key, "k1");
  const short = await runCli(t, argv, options);
  assert.equal(
    short.stdout,
    `${PROMPT} is done already; nothing was sent again.\n`,
  );
  const json = await runCli(t, [...argv, "--follow", "--json"], options);
  assert.equal(json.stdout.trimEnd().split("\n").length, 4);
});

test("[P1] a prompt that was cancelled before is not sent again either, and did not complete", async (t) => {
  const server = await fakeServer(t, {
    showSession: () => sampleSession({ last_seq: 40 }),
    queuePrompt: () => samplePrompt,
    showPrompt: () => ({ ...samplePrompt, state: "cancelled" }),
  });
  const { code, stdout } = await runCli(
    t,
    ["session", "prompt", SESSION, "go", "--key", "k1", "--follow"],
    { url: server.url },
  );
  assert.equal(code, 1);
  assert.match(stdout, /is cancelled already; nothing was sent again/);
});

test("--follow goes on with a session that was paused and started again at once, and stops at one that stays paused", async (t) => {
  const events = numbered(1, [
    queued,
    became("RUNNING"),
    became("PAUSED"),
    became("STARTING"),
    said(5, "agent", "again"),
    became("PAUSED"),
  ]);
  const server = await fakeServer(t, {
    createSession: () => sampleSession({ state: "STARTING", last_seq: 1 }),
    showSession: () => sampleSession({ state: "PAUSED", last_seq: 6 }),
  });
  server.publish(...events);
  const { code, stdout } = await runCli(
    t,
    ["session", "start", "go", "--follow"],
    { url: server.url },
  );
  assert.equal(code, 1);
  assert.match(stdout, /again/);
});

test("Ctrl-C while following detaches: the session goes on, exit 130", async (t) => {
  const server = await fakeServer(t, {
    createSession: () => sampleSession({ state: "RUNNING", last_seq: 1 }),
  });
  server.publish(
    ...numbered(1, [queued, became("RUNNING"), said(3, "agent", "one")]),
  );
  const { code, stderr } = await runCli(
    t,
    ["session", "start", "go", "--follow"],
    {
      url: server.url,
      watch: (sofar, kill) => {
        if (sofar.endsWith("one")) kill("SIGINT");
      },
    },
  );
  assert.equal(code, 130);
  assert.match(stderr, /The session goes on\. Come back with/);
});

test("events --follow ends with the session", async (t) => {
  const server = await fakeServer(t, {
    showSession: () => sampleSession(),
    listEvents: () => ({ events: [], next: null }),
  });
  server.publish(
    ...numbered(1, [
      queued,
      {
        type: "session.ended",
        data: { outcome: "completed", reason: "requested" },
      },
    ]),
  );
  const { code, stdout } = await runCli(
    t,
    ["session", "events", SESSION, "--follow"],
    { url: server.url },
  );
  assert.equal(code, 0);
  assert.equal(stdout.trimEnd().split("\n").length, 2);
});

test("[P5] whoever joins in the middle of a turn gets it from its beginning, with what waits for an answer", async (t) => {
  const live = sampleSession({ state: "RUNNING", last_seq: 45 });
  const server = await fakeServer(t, {
    showSession: () => live,
    resumeSession: () => live,
    listMessages: () => ({
      messages: [{ id: "msg_43", turn: 1, role: "user", text: "go", at: AT }],
      next: null,
    }),
  });
  server.publish(
    ...numbered(41, [
      queued,
      became("RUNNING"),
      said(43, "user", "go"),
      said(44, "agent", "May "),
      saidMore(44, "I"),
      saidMore(44, "?"),
      turnEnded(),
      became("WAITING_FOR_INPUT"),
    ]),
  );
  const { code, stdout } = await runCli(
    t,
    ["session", "resume", SESSION, "--follow"],
    { url: server.url },
  );
  assert.equal(code, 0);
  assert.equal(stdout, "> go\nMay I?\n── turn 1 completed (end_turn)\n");
});

test("following a session that waits for nothing says so instead of nothing", async (t) => {
  const session = sampleSession({ is_agent_running: true });
  const server = await fakeServer(t, {
    showSession: () => session,
    resumeSession: () => session,
  });
  const { code, stdout } = await runCli(
    t,
    ["session", "resume", SESSION, "--follow"],
    { url: server.url },
  );
  assert.equal(code, 0);
  assert.equal(
    stdout,
    `${SESSION} is WAITING_FOR_INPUT; its agent runs already. Nothing is left to watch.\n`,
  );
});
