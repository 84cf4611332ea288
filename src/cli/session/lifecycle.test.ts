import assert from "node:assert/strict";
import { test } from "node:test";
import type { Session } from "../../contract/session/session.ts";
import { fakeServer } from "../fixtures/fake-server.ts";
import { runCli } from "../fixtures/run-cli.ts";
import {
  PERMISSION,
  PROMPT,
  SESSION,
  samplePrompt,
  sampleSession,
} from "../fixtures/sample.ts";

const question: Session["pending_permissions"][number] = {
  id: PERMISSION,
  turn: 3,
  title: "May I paint the door?",
  tool_kind: null,
  options: [],
  state: "pending",
};

test("[P5] [P7] pausing says which turn and which question it cut off, and how to decide", async (t) => {
  const server = await fakeServer(t, {
    showSession: () =>
      sampleSession({ state: "RUNNING", pending_permissions: [question] }),
    pauseSession: () =>
      sampleSession({
        state: "PAUSED",
        unresolved_prompts: [
          { id: PROMPT, session_id: SESSION, turn: 3, state: "interrupted" },
        ],
      }),
  });
  const { code, stdout } = await runCli(t, ["session", "pause", SESSION], {
    url: server.url,
  });
  assert.equal(code, 0);
  const resolve = `reprise session resolve ${SESSION} ${PROMPT}`;
  assert.equal(
    stdout,
    [
      `${SESSION} is PAUSED.`,
      "A question can no longer be answered: May I paint the door?",
      "Turn 3 was interrupted. Decide about its prompt:",
      `    Go on from there  ${resolve} continue`,
      `    Send it again     ${resolve} resend`,
      `    Leave it          ${resolve} drop`,
      `Bring it back with \`reprise session resume ${SESSION}\`.`,
      "",
    ].join("\n"),
  );
});

test("[REC-8] who brings an agent back is told which prompts wait for a decision", async (t) => {
  const session = sampleSession({
    unresolved_prompts: [
      { id: PROMPT, session_id: SESSION, turn: 3, state: "interrupted" },
      { id: PROMPT, session_id: SESSION, turn: 4, state: "uncertain" },
    ],
  });
  const server = await fakeServer(t, {
    showSession: () => session,
    resumeSession: () => session,
    recoverSession: () => session,
  });
  const options = { url: server.url };
  for (const words of [["resume"], ["resume", "--follow"], ["recover"]]) {
    const { stdout } = await runCli(t, ["session", ...words, SESSION], options);
    assert.match(
      stdout,
      /^Turn 3 was interrupted\. Decide about its prompt:$/m,
    );
    assert.match(
      stdout,
      /^It is uncertain whether the agent took the prompt of turn 4\./m,
    );
    assert.ok(
      stdout.includes(`session resolve ${SESSION} ${PROMPT} continue\n`),
    );
  }
});

test("[LNK-24] what to do about a failure is shown, however long it is", async (t) => {
  const error_message = `It went wrong: ${"so ".repeat(100)}. See to that, then resume the session.`;
  const server = await fakeServer(t, {
    showSession: () => sampleSession({ state: "ERROR", error_message }),
  });
  const { stdout } = await runCli(t, ["session", "show", SESSION], {
    url: server.url,
  });
  assert.match(stdout, /^ {2}error +It went .*, then resume the session\.$/m);
});

test("pausing what is paused, and ending what is at work, say so", async (t) => {
  const server = await fakeServer(t, {
    showSession: () =>
      sampleSession({ state: "PAUSED", queued_prompts: [samplePrompt] }),
    pauseSession: () => sampleSession({ state: "PAUSED" }),
    endSession: () => sampleSession({ state: "COMPLETED" }),
  });
  const options = { url: server.url };
  const paused = await runCli(t, ["session", "pause", SESSION], options);
  assert.match(paused.stdout, /is PAUSED already\.\nBring it back/);
  const ended = await runCli(t, ["session", "end", SESSION], options);
  assert.equal(
    ended.stdout,
    `${SESSION} is COMPLETED. 1 prompt that waited will not be sent.\n`,
  );
});
