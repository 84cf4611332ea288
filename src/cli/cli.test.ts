/** The CLI against a server, as a process of its own. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { TaskId } from "../contract/base/id.ts";
import { fakeServer } from "./fixtures/fake-server.ts";
import { runCli } from "./fixtures/run-cli.ts";
import {
  PERMISSION,
  PROMPT,
  SESSION,
  numbered,
  samplePrompt,
  sampleSession,
  wholeTurn,
} from "./fixtures/sample.ts";

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
    cwd: join(place, "project"),
    name: "try",
    prompt: "go",
  });
  assert.equal(server.asked[0].token, "secret");
});

test("a prompt may come from standard input", async (t) => {
  const server = await fakeServer(t, { queuePrompt: () => samplePrompt });
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
    listSessions: ({ query }) => ({
      sessions: [SESSION, other, third]
        .filter((id) => id.startsWith(query["prefix"] ?? ""))
        .map((id) => ({ ...sampleSession(), id })),
      next: null,
    }),
    showSession: () => sampleSession(),
    pauseSession: () => sampleSession({ state: "PAUSED" }),
  });
  const options = { url: server.url };
  const unique = await runCli(t, ["session", "pause", "01jm"], options);
  assert.equal(unique.code, 0);
  assert.match(unique.stdout, /is PAUSED/);
  const ambiguous = await runCli(t, ["session", "pause", "ses_01jn"], options);
  assert.equal(ambiguous.code, 2);
  assert.match(ambiguous.stderr, new RegExp(`${other}\n.*${third}`));
  const none = await runCli(t, ["session", "pause", "../../etc"], options);
  assert.equal(none.code, 3);
});

test("[SES-60] session continue takes the session of this directory that was asked for something last and can go on", async (t) => {
  const live = { ...sampleSession(), id: "ses_01jn0000000000000000000000" };
  const server = await fakeServer(t, {
    listSessions: () => ({ sessions: [live], next: null }),
    queuePrompt: () => samplePrompt,
  });
  const cwd = await realpath(tmpdir());
  const { code } = await runCli(t, ["session", "continue", "go"], {
    url: server.url,
    cwd,
  });
  assert.equal(code, 0);
  assert.deepEqual(server.asked[0]?.query, {
    cwd,
    order: "wish",
    state: "CREATED,STARTING,RUNNING,WAITING_FOR_INPUT,PAUSED,ERROR",
    limit: "1",
  });
  assert.equal(server.asked[1]?.params["id"], live.id);
});

test("session continue says when the session belongs to a task", async (t) => {
  const task_id = TaskId.parse("tsk_01jm0000000000000000000000");
  const live = sampleSession({ task_id });
  const server = await fakeServer(t, {
    listSessions: () => ({ sessions: [live], next: null }),
    queuePrompt: () => samplePrompt,
  });
  const { code, stderr } = await runCli(t, ["session", "continue", "go"], {
    url: server.url,
  });
  assert.equal(code, 0);
  assert.match(stderr, new RegExp(`a session of the task ${task_id}`));
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
              { id: "no; rm -rf ~", name: "No", kind: "other" },
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
  assert.match(stdout, /[Ee]verything said before/);
  const command = `reprise session permit ${SESSION} ${PERMISSION}`;
  assert.ok(stdout.includes(`${command} yes\n`));
  assert.ok(stdout.includes(`${command} 'no; rm -rf ~'\n`));
  for (const action of ["continue", "resend", "drop"])
    assert.ok(
      stdout.includes(
        `reprise session resolve ${SESSION} ${PROMPT} ${action}\n`,
      ),
    );
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
  const options = { url: server.url };
  const text = await runCli(t, ["session", "events", SESSION], options);
  const lines = text.stdout.trimEnd().split("\n");
  assert.equal(lines.length, 7);
  assert.match(
    lines[5] ?? "",
    /6 {2}12:00:00 {2}session\.turn\.ended +turn 1 completed/,
  );
  const json = await runCli(
    t,
    ["session", "events", SESSION, "--after", "5", "--json"],
    options,
  );
  assert.deepEqual(
    json.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
    JSON.parse(JSON.stringify(events.slice(5))),
  );
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
    resolvePrompt: () => ({ ...samplePrompt, state: "done" }),
  });
  const options = { url: server.url };
  const permit = ["session", "permit", SESSION, PERMISSION, "allow"];
  assert.equal((await runCli(t, permit, options)).code, 0);
  assert.deepEqual(server.asked[0]?.body, { option_id: "allow" });
  assert.equal(server.asked[0].params["request_id"], PERMISSION);
  const resolve = ["session", "resolve", SESSION, PROMPT];
  const dropped = await runCli(t, [...resolve, "drop"], options);
  assert.deepEqual([dropped.code, dropped.stdout], [0, `${PROMPT}: drop.\n`]);
  assert.deepEqual(server.asked[1]?.body, { action: "drop" });
  assert.equal((await runCli(t, [...resolve, "maybe"], options)).code, 2);
  const again = await runCli(t, [...resolve, "resend"], options);
  assert.match(
    again.stdout,
    new RegExp(`Watch it with .*session resume ${SESSION} --follow`),
    "[API-140] what begins a turn says how to watch it",
  );
});

test("[P6] session resume says how the memory came back, and claims nothing when the agent ran already", async (t) => {
  const resume = {
    path: "fast",
    strategy: "native",
    grade: "native",
    verified: true,
    workspace: "unchanged",
    lost: null,
    took_ms: 12,
  } as const;
  let isRunning = false;
  const server = await fakeServer(t, {
    showSession: () => sampleSession({ is_agent_running: isRunning }),
    resumeSession: () => sampleSession({ resume }),
  });
  const argv = ["session", "resume", SESSION];
  const first = await runCli(t, argv, { url: server.url });
  assert.equal(first.code, 0);
  assert.match(
    first.stdout,
    /native: the agent restored its own session, verified/,
  );
  isRunning = true;
  const again = await runCli(t, argv, { url: server.url });
  assert.equal(
    again.stdout,
    `${SESSION} is WAITING_FOR_INPUT; its agent runs already.\n`,
  );
});
