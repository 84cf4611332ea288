import assert from "node:assert/strict";
import { test } from "node:test";
import { ExecutionId, messageId } from "../../../../src/contract/base/id.ts";
import type { NewEvent } from "../../../../src/contract/event/event.ts";
import { problems } from "../../../../src/contract/problem/problem.ts";
import { lineOf } from "../../../../src/session/line/marks.ts";
import { FakeServer } from "../../fixtures/fake-server.ts";
import { ManualScheduler } from "../../fixtures/manual-scheduler.ts";
import {
  begin,
  conversation,
  depsOf,
  opened,
  said,
  settle,
  turnEnded,
  turnStarted,
} from "../../fixtures/opened-session.ts";
import {
  aPermission,
  aPrompt,
  aSession,
  aStatus,
  at,
  sessionId,
} from "../../fixtures/samples.ts";
import type { OpenSession } from "../open-session.ts";
import { openSession } from "./session-door.ts";

const execution_id = ExecutionId.parse(`exe_${"0".repeat(26)}`);

const chunk = (seq: number, append: string): NewEvent => ({
  type: "session.message.updated",
  data: { id: messageId(seq), append },
});

test("[PAG-45] a session opens with its newest messages and its whole line, and earlier messages come when they are asked for", async () => {
  const server = conversation(250);
  const { session } = await opened(server);
  assert.equal(session.get().messages.length, 100);
  assert.equal(session.get().messages[0]?.text, "turn 151");
  assert.equal(session.get().hasEarlier, true);
  assert.equal(session.get().line.length, 250);
  assert.equal(session.get().turns.length, 100);
  await Promise.all([session.loadEarlier(), session.loadEarlier()]);
  assert.equal(session.get().messages[0]?.text, "turn 1");
  assert.equal(session.get().messages.length, 250);
  assert.equal(session.get().hasEarlier, false);
  assert.equal(server.count("GET /window"), 2);
});

test("[PAG-45] the drawn line is the fold of the whole journal, also after live events", async () => {
  const server = conversation(2);
  const { session, scheduler } = await opened(server);
  server.push(turnStarted(3));
  server.push({
    type: "session.execution.ended",
    data: {
      execution_id,
      epoch: 1,
      ending: { kind: "killed", signal: "SIGKILL" },
      stderr_tail: "",
    },
  });
  await settle();
  scheduler.draw();
  assert.deepEqual(session.get().line, lineOf(server.events));
});

test("[PAG-45] what came with the document is shown at once, and nothing is lost behind it", async () => {
  const server = conversation(3);
  const window = await server.client.showWindow(sessionId(), { limit: 2 });
  server.push(turnStarted(4));
  const scheduler = new ManualScheduler();
  const door = openSession(
    sessionId(),
    { ...depsOf(server), scheduler },
    { session: server.session, status: server.status, window },
  );
  const opening = door.get();
  assert.ok(opening.kind === "open");
  assert.equal(opening.session.get().messages.length, 2);
  server.push(said(server, 4, "turn 4"));
  server.push(turnEnded(4));
  await settle();
  scheduler.draw();
  assert.equal(opening.session.get().messages.at(-1)?.text, "turn 4");
  assert.deepEqual(opening.session.get().line, lineOf(server.events));
  assert.equal(server.count("GET /window"), 1);
});

test("[PAG-286] what is far above goes when a turn ends in sight, and is read again when somebody goes up", async () => {
  const server = new FakeServer();
  const { session, scheduler } = await opened(server);
  const text = "a".repeat(40_000);
  const speak = async (turn: number): Promise<void> => {
    server.push(turnStarted(turn));
    server.push(said(server, turn, text));
    server.push(turnEnded(turn));
    await settle();
    scheduler.draw();
  };
  const turns = (): number[] => session.get().turns.map(({ turn }) => turn);
  for (let turn = 1; turn <= 10; turn += 1) await speak(turn);
  // Nobody sees the end: somebody may read higher up.
  assert.equal(turns().length, 10);
  session.markSeen();
  scheduler.draw();
  assert.deepEqual(turns(), [3, 4, 5, 6, 7, 8, 9, 10]);
  assert.equal(session.get().hasEarlier, true);

  await session.loadEarlier();
  assert.deepEqual(turns(), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.equal(session.get().hasEarlier, false);
  assert.equal(session.get().messages.length, 10);
  // It stays until another turn ends.
  session.markSeen();
  scheduler.draw();
  assert.equal(turns().length, 10);

  // What somebody waits for does not go meanwhile.
  await speak(11);
  session.markSeen();
  scheduler.draw();
  assert.deepEqual(turns()[0], 4);
  const loading = session.loadEarlier();
  await speak(12);
  session.markSeen();
  await loading;
  assert.deepEqual(turns(), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

test("[PAG-46] chunks are shown once a frame, each of them once", async () => {
  const server = conversation(1);
  const { session, scheduler, texts } = await opened(server);
  server.push(turnStarted(2));
  const { seq } = server.push(said(server, 2, "a"));
  await settle();
  scheduler.draw();
  let told = 0;
  session.subscribe(() => told++);
  for (const letter of "bcdefgh") server.push(chunk(seq, letter));
  await settle();
  assert.equal(told, 0);
  assert.deepEqual(texts(), ["turn 1", "a"]);
  assert.equal(scheduler.framesAsked, 1);
  scheduler.draw();
  assert.equal(told, 1);
  assert.deepEqual(texts(), ["turn 1", "abcdefgh"]);
});

test("[PAG-46] a turn that did not change stays the same object", async () => {
  const server = conversation(2);
  const { session, scheduler } = await opened(server);
  const [first, second] = session.get().turns;
  server.push(said(server, 2, "more"));
  await settle();
  scheduler.draw();
  assert.equal(session.get().turns[0], first);
  assert.notEqual(session.get().turns[1], second);
  assert.equal(first?.endedAt, at(5_000));
});

test("[PAG-47] a question is shown when the server says that it is pending, not when an event tells of it", async () => {
  const server = conversation(1);
  const { session, scheduler } = await opened(server);
  const permission = aPermission();
  server.push({ type: "session.permission.requested", data: { permission } });
  await settle();
  scheduler.draw();
  assert.deepEqual(session.get().permissions, []);
  server.session = { ...server.session, pending_permissions: [permission] };
  server.push({ type: "session.permission.requested", data: { permission } });
  await settle();
  scheduler.draw();
  assert.deepEqual(session.get().permissions, [permission]);
});

test("[PAG-47] what is pending is read again when the server is back", async () => {
  const server = conversation(1);
  const { session, scheduler, connection } = await opened(server);
  connection.set({ kind: "away", since: 0, nextTryAt: null });
  assert.equal(session.get().standing.kind, "away");
  server.session = {
    ...server.session,
    pending_permissions: [aPermission()],
  };
  connection.set({ kind: "back", caughtUp: 0 });
  await settle();
  scheduler.draw();
  assert.equal(session.get().permissions.length, 1);
  assert.equal(server.count("GET /status"), 2);
});

const asleep = (
  resume_reason: "agent_not_running" | "agent_not_running_fresh_start",
) =>
  aStatus({
    is_agent_running: false,
    needs_resume: true,
    resume_reason,
  });

test("[PAG-48] the status is asked when a session is opened, and its agent is resumed once", async () => {
  const server = conversation(1);
  server.status = asleep("agent_not_running");
  const { session, scheduler, connection } = await opened(server);
  assert.equal(server.count("GET /status"), 1);
  assert.equal(server.count("POST /resume"), 1);
  connection.set({ kind: "away", since: 0, nextTryAt: null });
  connection.set({ kind: "connected" });
  await settle();
  scheduler.draw();
  assert.equal(server.count("GET /status"), 2);
  assert.equal(server.count("POST /resume"), 1);
  assert.equal(session.get().standing.kind, "needs_resume");
});

test("[PAG-48] it is not resumed where the setting says no, or where it would be given a history", async () => {
  const native = conversation(1);
  native.status = asleep("agent_not_running");
  const { session } = await opened(native, { auto_resume: false });
  assert.equal(native.count("POST /resume"), 0);
  assert.equal(session.get().standing.kind, "needs_resume");
  const told = conversation(1);
  told.status = asleep("agent_not_running_fresh_start");
  await opened(told);
  assert.equal(told.count("POST /resume"), 0);
});

test("[PAG-49] a prompt goes with its draft's key, and a full disk is told until a prompt is taken", async () => {
  const server = conversation(1);
  server.session = { ...server.session, queued_prompts: [aPrompt()] };
  const { session } = await opened(server);
  const [status, title] = problems.storage_full;
  server.refusals.set("POST /prompts", {
    status,
    body: {
      type: "urn:reprise:problem:storage_full",
      title,
      status,
      code: "storage_full",
      detail: "The disk is full.",
    },
  });
  const send = (to: OpenSession) =>
    to.prompt([{ type: "text", text: "Go on" }], "key-1");
  await assert.rejects(send(session), { code: "storage_full" });
  assert.equal(session.get().standing.kind, "disk_full");
  server.refusals.clear();
  await send(session);
  assert.equal(session.get().standing.kind, "ready");
  assert.deepEqual(
    server.asked.filter(({ what }) => what === "POST /prompts"),
    [1, 2].map(() => ({
      what: "POST /prompts",
      key: "key-1",
      body: { content: [{ type: "text", text: "Go on" }] },
    })),
  );
});

test("[PAG-45] a session that is not there is told as missing, and a server that is away is tried again", async () => {
  const gone = new FakeServer();
  const [status, title] = problems.session_not_found;
  gone.refusals.set("GET /window", {
    status,
    body: {
      type: "urn:reprise:problem:session_not_found",
      title,
      status,
      code: "session_not_found",
      detail: "There is no session ses_1.",
    },
  });
  const missing = begin(gone);
  await settle();
  assert.deepEqual(missing.door.get(), {
    kind: "failed",
    text: "There is no session ses_1.",
    isMissing: true,
  });
  const server = conversation(1);
  server.isAway = true;
  const { door, scheduler } = begin(server);
  await settle();
  assert.equal(door.get().kind, "loading");
  server.isAway = false;
  scheduler.pass(2_000);
  await settle();
  assert.equal(door.get().kind, "open");
});

test("[PAG-30] seconds go on being counted while the agent is being started", async () => {
  const server = conversation(1);
  server.session = aSession({ state: "STARTING", last_seq: 3 });
  server.push({
    type: "session.state_changed",
    data: {
      from: "PAUSED",
      to: "STARTING",
      reason: "resume",
      message: null,
    },
  });
  const { session, scheduler } = await opened(server);
  scheduler.pass(12_000);
  assert.match(session.get().standing.text ?? "", / Still starting, 12 s\.$/);
});

test("[PAG-40] what somebody sees is marked with the turns that it has", async () => {
  const { session, seen } = await opened(conversation(1));
  session.markSeen();
  assert.deepEqual(seen, [7]);
});
