/** The CLI against a server, as a process of its own. */
import assert from "node:assert/strict";
import {
  mkdir,
  mkdtemp,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fakeServer, refusal } from "./fixtures/fake-server.ts";
import { runCli } from "./fixtures/run-cli.ts";
import {
  PERMISSION,
  PROMPT,
  SESSION,
  became,
  numbered,
  queued,
  said,
  sampleSession,
  turnEnded,
  wholeTurn,
} from "./fixtures/sample.ts";

const prompt = {
  id: PROMPT,
  session_id: SESSION,
  turn: null,
  state: "queued",
  text: "go",
};

test("session start sends the real directory and prints the id and what to do next", async (t) => {
  const server = await fakeServer(t, { createSession: () => sampleSession() });
  const place = await realpath(await mkdtemp(join(tmpdir(), "reprise-cwd-")));
  t.after(() => rm(place, { recursive: true }));
  await mkdir(join(place, "project"));
  await symlink(join(place, "project"), join(place, "link"));
  const { code, stdout, stderr } = await runCli(
    t,
    ["session", "start", "go", "--cwd", "link", "--name", "try"],
    { url: server.url, cwd: place },
  );
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  assert.match(stdout, new RegExp(`^${SESSION} started: demo in /work\n`));
  assert.match(
    stdout,
    new RegExp(`reprise session resume ${SESSION} --follow`),
  );
  assert.deepEqual(server.asked[0]?.body, {
    agent: "demo",
    executor: "standalone",
    on_interrupt: "wait",
    cwd: join(place, "project"),
    name: "try",
    prompt: "go",
  });
  assert.equal(server.asked[0].token, "secret");
});

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
    [1, 2, 3, 4, 5, 6, 7],
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
      return prompt;
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

test("[P1] a prompt whose key was used before is not waited for again", async (t) => {
  const server = await fakeServer(t, {
    showSession: () => sampleSession({ last_seq: 40 }),
    queuePrompt: () => prompt,
  });
  const { code } = await runCli(
    t,
    ["session", "prompt", SESSION, "go", "--key", "k1", "--follow"],
    { url: server.url },
  );
  assert.equal(code, 0);
  const [sent] = server.asked.filter(({ name }) => name === "queuePrompt");
  assert.equal(sent?.key, "k1");
  assert.ok(!server.asked.some(({ name }) => name === "streamEvents"));
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

test("a prompt may come from standard input", async (t) => {
  const server = await fakeServer(t, { queuePrompt: () => prompt });
  const { code } = await runCli(t, ["session", "prompt", SESSION, "-"], {
    url: server.url,
    input: "line 1\nline 2\n",
  });
  assert.equal(code, 0);
  assert.deepEqual(server.asked[0]?.body, { text: "line 1\nline 2\n" });
});

test("the beginning of an id is enough when it is the only one", async (t) => {
  const other = "ses_01jn0000000000000000000000";
  const third = "ses_01jn0000000000000000000001";
  const server = await fakeServer(t, {
    listSessions: ({ query }) =>
      query["after"] === undefined
        ? { sessions: [sampleSession()], next: "more" }
        : {
            sessions: [other, third].map((id) => ({ ...sampleSession(), id })),
            next: null,
          },
    pauseSession: () => sampleSession({ state: "PAUSED" }),
  });
  const given = { url: server.url };
  const unique = await runCli(t, ["session", "pause", "01jm"], given);
  assert.equal(unique.code, 0);
  assert.match(unique.stdout, /is PAUSED/);
  const ambiguous = await runCli(t, ["session", "pause", "ses_01jn"], given);
  assert.equal(ambiguous.code, 2);
  assert.match(ambiguous.stderr, new RegExp(`${other}\n.*${third}`));
  const none = await runCli(t, ["session", "pause", "../../etc"], given);
  assert.equal(none.code, 3);
});

test("session continue takes the most recent session of this directory that can go on", async (t) => {
  const ended = sampleSession({ state: "COMPLETED", status: "ended" });
  const live = { ...sampleSession(), id: "ses_01jn0000000000000000000000" };
  const server = await fakeServer(t, {
    listSessions: () => ({ sessions: [ended, live], next: null }),
    queuePrompt: () => prompt,
  });
  const cwd = await realpath(tmpdir());
  const { code } = await runCli(t, ["session", "continue", "go"], {
    url: server.url,
    cwd,
  });
  assert.equal(code, 0);
  assert.equal(server.asked[0]?.query["cwd"], cwd);
  assert.equal(server.asked[1]?.params["id"], live.id);
});

test("session continue without a session says how to start one, exit 3", async (t) => {
  const server = await fakeServer(t, {
    listSessions: () => ({ sessions: [], next: null }),
  });
  const { code, stderr } = await runCli(t, ["session", "continue"], {
    url: server.url,
  });
  assert.equal(code, 3);
  assert.match(stderr, /reprise session start/);
});

test("session show tells what it waits for, with the exact commands", async (t) => {
  const server = await fakeServer(t, {
    showSession: () =>
      sampleSession({
        name: "evil \x1b]52;c;AAAA\x07name",
        pending_permissions: [
          {
            id: PERMISSION,
            turn: 1,
            title: "Write notes.txt",
            tool_kind: "edit",
            state: "pending",
            options: [
              { id: "allow", name: "Allow", kind: "allow_once" },
              { id: "no; rm -rf ~", name: "No", kind: "reject_once" },
            ],
          },
        ],
        unresolved_prompts: [
          { id: PROMPT, session_id: SESSION, turn: 1, state: "interrupted" },
        ],
        resume: {
          path: "fast",
          strategy: "fresh",
          grade: "fresh",
          verified: false,
          workspace: "unchanged",
          lost: "everything said before",
          took_ms: 12,
        },
      }),
  });
  const { stdout } = await runCli(t, ["session", "show", SESSION], {
    url: server.url,
  });
  assert.match(stdout, /evil name\n/);
  assert.ok(!stdout.includes("\x1b"));
  assert.match(stdout, /fresh: a new agent session without memory/);
  assert.match(stdout, /lost: everything said before/);
  const command = `reprise session permit ${SESSION} ${PERMISSION}`;
  assert.ok(stdout.includes(`${command} allow\n`));
  assert.ok(stdout.includes(`${command} 'no; rm -rf ~'\n`));
  assert.ok(
    stdout.includes(
      `session resolve ${SESSION} ${PROMPT} continue|resend|drop`,
    ),
  );
});

test("refusals have their exit codes; with --json the problem is on standard error", async (t) => {
  const server = await fakeServer(t, {
    showSession: () => {
      throw refusal("session_not_found", "There is none.");
    },
    resumeSession: () => {
      throw refusal("session_ended");
    },
    cancelTurn: () => {
      throw refusal("wrong_state");
    },
    listSessions: () => {
      throw refusal("unauthorized");
    },
  });
  const given = { url: server.url };
  const missing = await runCli(
    t,
    ["session", "show", SESSION, "--json"],
    given,
  );
  assert.equal(missing.code, 3);
  assert.equal(missing.stdout, "");
  assert.equal(JSON.parse(missing.stderr).code, "session_not_found");
  assert.equal(JSON.parse(missing.stderr).detail, "There is none.");
  const ended = await runCli(t, ["session", "resume", SESSION], given);
  assert.deepEqual([ended.code, ended.stderr], [4, "reprise: because\n"]);
  assert.equal(
    (await runCli(t, ["session", "cancel", SESSION], given)).code,
    4,
  );
  const unauthorized = await runCli(t, ["session", "list"], given);
  assert.equal(unauthorized.code, 1);
  assert.match(unauthorized.stderr, /REPRISE_TOKEN/);
});

test("without a server: exit 5, and how to start one", async (t) => {
  const server = await fakeServer(t, {});
  server.close();
  const { code, stdout, stderr } = await runCli(t, ["session", "list"], {
    url: server.url,
  });
  assert.equal(code, 5);
  assert.equal(stdout, "");
  assert.match(stderr, /start it with `reprise up`/i);
});

test("the server of the home is found, and its token goes to this machine only", async (t) => {
  const server = await fakeServer(t, {
    listTasks: () => ({ tasks: [], next: null }),
  });
  const home = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(home, { recursive: true }));
  await writeFile(join(home, "token"), "from-home\n");
  await writeFile(
    join(home, "server.json"),
    JSON.stringify({ url: server.url, pid: 1 }),
  );
  const env = { REPRISE_HOME: home, REPRISE_TOKEN: "" };
  assert.equal((await runCli(t, ["task", "list"], { env })).code, 0);
  assert.equal(server.asked[0]?.token, "from-home");
});

test("events are printed in pages, with and without --json", async (t) => {
  const events = numbered(1, wholeTurn);
  const server = await fakeServer(t, {
    listEvents: ({ query }) => {
      const after = Number(query["after"]);
      return {
        events: events.slice(after, after + 3),
        next: after + 3 < events.length ? String(after + 3) : null,
      };
    },
  });
  const given = { url: server.url };
  const text = await runCli(t, ["session", "events", SESSION], given);
  const lines = text.stdout.trimEnd().split("\n");
  assert.equal(lines.length, 7);
  assert.match(
    lines[5] ?? "",
    /6 {2}12:00:00 {2}session\.turn\.ended +turn 1 completed/,
  );
  const json = await runCli(
    t,
    ["session", "events", SESSION, "--after", "5", "--json"],
    given,
  );
  assert.deepEqual(
    json.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
    JSON.parse(JSON.stringify(events.slice(5))),
  );
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

test("permit and resolve say what was decided", async (t) => {
  const server = await fakeServer(t, {
    answerPermission: () => ({
      id: PERMISSION,
      turn: 1,
      title: "Write",
      tool_kind: null,
      options: [],
      state: "answered",
    }),
    resolvePrompt: () => ({ ...prompt, state: "done" }),
  });
  const given = { url: server.url };
  const permit = ["session", "permit", SESSION, PERMISSION, "allow"];
  assert.equal((await runCli(t, permit, given)).code, 0);
  assert.deepEqual(server.asked[0]?.body, { option_id: "allow" });
  assert.equal(server.asked[0].params["request_id"], PERMISSION);
  const resolve = ["session", "resolve", SESSION, PROMPT];
  assert.equal((await runCli(t, [...resolve, "drop"], given)).code, 0);
  assert.deepEqual(server.asked[1]?.body, { action: "drop" });
  assert.equal((await runCli(t, [...resolve, "maybe"], given)).code, 2);
});

test("doctor works without a server, and finds a home that others can read", async (t) => {
  const healthy = await runCli(t, ["doctor"], { url: "http://127.0.0.1:9" });
  assert.equal(healthy.code, 0);
  assert.match(healthy.stdout, /^ok +node/m);
  assert.match(healthy.stdout, /^warn +server .*`reprise up`/m);
  const home = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(home, { recursive: true }));
  await writeFile(join(home, "token"), "x", { mode: 0o644 });
  const given = { url: "http://127.0.0.1:9", env: { REPRISE_HOME: home } };
  const open = await runCli(t, ["doctor", "--json"], given);
  const { findings } = JSON.parse(open.stdout);
  const token = findings.find(({ name }: { name: string }) => name === "token");
  assert.equal(token.verdict, "warn");
  assert.match(token.fix, /^chmod 600 /);
  const file = { url: given.url, env: { REPRISE_HOME: join(home, "token") } };
  const broken = await runCli(t, ["doctor"], file);
  assert.equal(broken.code, 1);
  assert.match(broken.stdout, /^fail +home/m);
});
