import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { SessionId } from "../../contract/base/id.ts";
import { ulid } from "../../kit/data/ulid.ts";
import { prompt, Story } from "../../session/testing.ts";
import { CallerEnvironments } from "./caller-environments.ts";

const sessions = Array.from({ length: 1101 }, (_, n) =>
  SessionId.parse(`ses_${ulid(n)}`),
);
const sessionOf = (n: number) => {
  const id = sessions[n];
  assert.ok(id !== undefined);
  return id;
};
const session = sessionOf(0);

test("[SES-61] the newest environment of a session counts, without what says where agents keep their things", () => {
  const callers = new CallerEnvironments("k");
  const newest = () => callers.newest(session);
  assert.equal(newest(), undefined);
  const given = { KEY: "1", HOME: "/me", CODEX_HOME: "/c" };
  callers.remember(session, given, null);
  assert.deepEqual(newest(), { KEY: "1" });
  callers.remember(session, { PATH: "/bin" }, null);
  assert.deepEqual(newest(), { PATH: "/bin" });
  callers.forget(session);
  assert.equal(newest(), undefined);
});

test("[SES-61] a label is the same for the same credentials, and tells nothing without the key of the home", () => {
  const label = (key: string, values: Record<string, string>, n = 0) =>
    new CallerEnvironments(key).label(sessionOf(n), values);
  const mine = label("k", { A: "1", B: "2" });
  assert.equal(mine, label("k", { B: "2", A: "1" }), "also after a restart");
  assert.match(mine, /^[A-Za-z0-9_-]{43}$/);
  for (const other of [
    label("other", { A: "1", B: "2" }),
    label("k", { A: "1", B: "2" }, 1),
    label("k", { A: "1" }),
    label("k", { A: "2", B: "1" }),
    label("k", { A: '1","B":"2' }),
    createHash("sha256").update("1").digest("base64url"),
  ])
    assert.notEqual(other, mine);
});

test("[SES-61] credentials are remembered while something in the session names them, however many there are", () => {
  const callers = new CallerEnvironments("k");
  const story = new Story();
  const { id } = story.state;
  const ask = (n: number): string => {
    const label = callers.label(id, { KEY: `${n}` });
    callers.remember(id, { KEY: `${n}` }, label);
    story.given({
      type: "prompt.queue",
      prompt_id: prompt(n),
      content: [{ type: "text", text: `prompt ${n}` }],
      credentials: label,
    });
    callers.review(story.state);
    return label;
  };
  const labels = Array.from({ length: 100 }, (_, n) => ask(n));
  const known = () =>
    labels.flatMap((label, n) =>
      callers.find(id, label) === undefined ? [] : [n],
    );
  assert.equal(known().length, 100);
  assert.deepEqual(callers.find(id, labels[3] ?? ""), { KEY: "3" });
  for (let n = 0; n < 99; n++)
    story.given({ type: "prompt.cancel", prompt_id: prompt(n) });
  callers.review(story.state);
  assert.deepEqual(known(), [99]);
  // Who asked last is remembered for the next start.
  story.given({ type: "prompt.cancel", prompt_id: prompt(99) });
  callers.review(story.state);
  assert.deepEqual(known(), [99]);
  story.given({
    type: "session.end",
    outcome: "completed",
    reason: "requested",
  });
  callers.review(story.state);
  assert.deepEqual(known(), []);
  assert.equal(callers.newest(id), undefined);
});

for (const label of ["mine", null])
  test(`[SES-61] many other sessions do not make a session forget the environment that its prompts wait for (label: ${label})`, () => {
    const callers = new CallerEnvironments("k");
    const story = new Story();
    const { id } = story.state;
    callers.remember(id, { KEY: "1" }, label);
    story.given({
      type: "prompt.queue",
      prompt_id: prompt(1),
      content: [{ type: "text", text: "hi" }],
      ...(label !== null && { credentials: label }),
    });
    callers.review(story.state);
    for (let n = 1; n <= 1100; n++)
      callers.remember(sessionOf(n), { KEY: `${n}` }, null);
    assert.deepEqual(callers.newest(id), { KEY: "1" });
    if (label !== null) assert.deepEqual(callers.find(id, label), { KEY: "1" });
    assert.equal(callers.newest(sessionOf(1)), undefined);
    assert.deepEqual(callers.newest(sessionOf(1100)), { KEY: "1100" });
  });
