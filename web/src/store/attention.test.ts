import assert from "node:assert/strict";
import { test } from "node:test";
import { StateName } from "../../../src/contract/session/state.ts";
import { needsYou } from "../../../src/contract/session/needs-you.ts";
import type { Session } from "../../../src/contract/session/session.ts";
import { ManualScheduler } from "../fixtures/manual-scheduler.ts";
import {
  aPermission,
  aPrompt,
  aSession,
  at,
  promptId,
  sessionId,
} from "../fixtures/samples.ts";
import { attention, attentionReason, titleWith } from "./attention.ts";
import { type Notice, Notices } from "./notices.ts";
import type { SeenTurns } from "./seen.ts";

const nothingSeen: SeenTurns = { since: at(0), turns: new Map() };
const fresh = { created_at: at(1000) };
const cut = (state: "interrupted" | "uncertain", goes_on: object | null) => ({
  unresolved_prompts: [
    {
      id: promptId(),
      session_id: sessionId(),
      turn: 4,
      state,
      goes_on: goes_on === null ? null : { at: null },
    },
  ],
});

test("[PAG-42] one rule says who needs somebody, and why", () => {
  const reason = (different: Partial<Session>) =>
    attentionReason(aSession(different), nothingSeen);
  const asks = { pending_permissions: [aPermission()] };
  assert.equal(reason({ state: "RUNNING", ...asks }), "permission");
  assert.equal(reason(cut("uncertain", null)), "uncertain");
  assert.equal(reason(cut("interrupted", null)), "interrupted");
  assert.equal(reason(cut("interrupted", {})), null);
  assert.equal(reason({ state: "ERROR", status: "error" }), "error");
  assert.equal(reason(fresh), "finished");
  assert.equal(reason({ state: "PAUSED", ...fresh }), "finished");
  assert.equal(reason({ state: "RUNNING", ...fresh }), null);
  assert.equal(reason({ queued_prompts: [aPrompt()], ...fresh }), null);
  assert.equal(reason({ called_by: sessionId(9), ...fresh }), null);
  assert.equal(reason({}), null);
  assert.equal(reason({ state: "COMPLETED", status: "ended", ...fresh }), null);
  assert.equal(reason({ deleted_at: at(0), ...asks }), null);
});

test("[PAG-42] all that the server counts as waiting for somebody is in it", () => {
  for (const state of StateName.options)
    for (const asks of [[], [aPermission()]])
      for (const more of [{}, cut("uncertain", null), cut("uncertain", {})]) {
        const session = aSession({ state, pending_permissions: asks, ...more });
        const reason = attentionReason(session, nothingSeen);
        assert.equal(
          reason !== null && reason !== "finished",
          needsYou(session),
        );
      }
});

test("[PAG-42] who has waited longest comes first", () => {
  const sessions = [3, 1, 2].map((minutes) =>
    aSession({
      id: sessionId(minutes),
      state: "ERROR",
      last_active_at: at(-minutes * 60_000),
    }),
  );
  assert.deepEqual(
    attention(sessions, nothingSeen).map(({ session }) => session.id),
    [sessionId(3), sessionId(2), sessionId(1)],
  );
});

test("[PAG-42] the title of the page has the count", () => {
  assert.equal(titleWith(5, "Home"), "(5) Home · Reprise");
  assert.equal(titleWith(0, "Home"), "Home · Reprise");
});

const noticing = (shown: string[] = []) => {
  const scheduler = new ManualScheduler();
  const told: Notice[] = [];
  const notices = new Notices({
    scheduler,
    show: (notice) => told.push(notice),
    isShown: (session) => shown.includes(session),
    agentName: () => "Claude Code",
  });
  const update = (...sessions: Session[]): void =>
    notices.update(attention(sessions, nothingSeen));
  return { scheduler, told, notices, update };
};
const asking = (number: number): Session =>
  aSession({
    id: sessionId(number),
    name: `Session ${number}`,
    state: "RUNNING",
    pending_permissions: [aPermission()],
  });

test("[PAG-43] only what begins to need somebody is told, once", () => {
  const { scheduler, told, notices, update } = noticing();
  notices.speak();
  update(asking(1));
  scheduler.pass(5_000);
  assert.deepEqual(told, []);
  update(asking(1), asking(2));
  update(asking(1), asking(2));
  scheduler.pass(1_000);
  update(asking(1), asking(2));
  scheduler.pass(5_000);
  assert.deepEqual(told, [
    {
      title: "Session 2",
      body: "Claude Code asks: docker compose up -d minio",
      tag: `reprise.${sessionId(2)}`,
      session: sessionId(2),
    },
  ]);
});

test("[PAG-43] a tab without the lock says nothing, and nobody is told of what is on the screen", () => {
  const silent = noticing();
  silent.update();
  silent.update(asking(1));
  silent.scheduler.pass(5_000);
  assert.deepEqual(silent.told, []);
  const seen = noticing([sessionId(1)]);
  seen.notices.speak();
  seen.update();
  seen.update(asking(1));
  seen.scheduler.pass(5_000);
  assert.deepEqual(seen.told, []);
});

test("[PAG-43] what was answered meanwhile is not told, and many become one", () => {
  const { scheduler, told, notices, update } = noticing();
  notices.speak();
  update();
  update(asking(1));
  update();
  scheduler.pass(5_000);
  assert.equal(told.length, 0);
  update(...[1, 2, 3, 4].map(asking));
  scheduler.pass(1_000);
  assert.equal(told.length, 1);
  assert.equal(told[0]?.title, "4 sessions need you");
  assert.equal(told[0]?.session, null);
});
