import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeServer } from "../fixtures/fake-server.ts";
import { runCli } from "../fixtures/run-cli.ts";
import {
  became,
  numbered,
  PROMPT,
  queued,
  sampleSession,
  SESSION,
} from "../fixtures/sample.ts";

void test("[API-180] --follow says that a turn does not go on by itself any more, and how to decide about it", async (t) => {
  let goes_on: { at: string | null } | null = { at: null };
  let last_seq = 4;
  const server = await fakeServer(t, {
    createSession: () => sampleSession({ state: "STARTING", last_seq: 1 }),
    showSession: () =>
      sampleSession({
        last_seq,
        unresolved_prompts: [
          {
            id: PROMPT,
            session_id: SESSION,
            turn: 1,
            state: "interrupted",
            goes_on,
          },
        ],
      }),
  });
  server.publish(
    ...numbered(1, [
      queued,
      became("RUNNING"),
      {
        type: "session.turn.interrupted",
        data: { turn: 1, prompt_id: PROMPT, reason: "quota" },
      },
      became("WAITING_FOR_INPUT"),
    ]),
  );
  const { code, stdout } = await runCli(
    t,
    ["session", "start", "go", "--follow"],
    {
      url: server.url,
      watch: (sofar) => {
        if (goes_on === null || !sofar.includes("goes on by itself")) return;
        goes_on = null;
        last_seq = 5;
        server.publish(
          ...numbered(5, [
            { type: "session.changed", data: { on_quota: "wait" } },
          ]),
        );
      },
    },
  );
  assert.equal(code, 1);
  const resolve = `reprise session resolve ${SESSION} ${PROMPT}`;
  assert.ok(
    stdout.endsWith(
      `── the turn goes on by itself\n── the turn does not go on by itself any more\n    Go on from there  ${resolve} continue\n    Send it again     ${resolve} resend\n    Leave it          ${resolve} drop\n`,
    ),
    stdout,
  );
});
