import assert from "node:assert/strict";
import { test } from "node:test";
import { permissionId } from "../../contract/base/id.ts";
import { LOCAL } from "../../contract/base/place.ts";
import { decideImport } from "../decide/import.ts";
import {
  begun,
  marksIn,
  NATIVE,
  short,
  turn,
  turns,
  turnsIn,
} from "../fixtures/line-stories.ts";
import { askItem, at, prompt, Story } from "../testing.ts";
import { lineOf } from "./marks.ts";

test("[SES-171] a session begins with what it found, and each turn says how it ended and what it left", () => {
  const story = new Story({ checkpoints: true })
    .captured(1, { files: 7 })
    .up()
    .queue(1, "hello")
    .deliver(1)
    .endTurn(1)
    .captured(2, { changes: { files: 3, added: 54, removed: 19 } });
  const began = story.events.find(
    ({ type }) => type === "session.turn.started",
  );
  assert.deepEqual(marksIn(story), [
    { kind: "start", at: at(0), files: 7 },
    {
      kind: "turn",
      at: began?.at,
      turn: 1,
      prompt: "hello",
      outcome: "completed",
      memory: "own",
      behind: false,
      changes: { files: 3, added: 54, removed: 19 },
      capture: "saved",
      forks: [],
    },
  ]);
  story.queue(2).deliver(2).endTurn(2, "refusal");
  story.captured(3, { outcome: "failed" });
  const [, second] = turnsIn(marksIn(story));
  assert.deepEqual(
    [second?.outcome, second?.capture, second?.changes],
    ["refused", "failed", null],
  );
});

test("[SES-171] of a long prompt the beginning is shown, and no character is cut in two", () => {
  const story = begun().queue(1, `${"x".repeat(199)}😀 and more`);
  assert.equal(turnsIn(marksIn(story))[0]?.prompt, "x".repeat(199));
});

test("[SES-171] a turn runs, asks, and runs again", () => {
  const standing = (story: Story) => turnsIn(marksIn(story)).at(-1)?.outcome;
  const story = begun().queue(1).deliver(1);
  assert.equal(standing(story), "running");
  const id = permissionId(1, 1);
  story.report(askItem(id, story.words(2)));
  assert.equal(standing(story), "asks");
  story.given({
    type: "permission.answer",
    permission_id: id,
    option_id: "yes",
  });
  assert.equal(standing(story), "running");
  story.report(askItem(permissionId(1, 2), story.words(2))).die();
  assert.equal(standing(story), "interrupted");
});

test("[SES-171] a turn that was given back has no mark until it begins again", () => {
  const story = begun()
    .queue(1)
    .die([prompt(1)]);
  assert.deepEqual(short(story), ["start", "break - open"]);
  story.begin().ready(NATIVE).deliver(1).endTurn(1);
  assert.deepEqual(short(story), ["start", "break - native", "1 own"]);
  assert.equal(turnsIn(marksIn(story))[0]?.prompt, "prompt 1");
});

test("[SES-172] an agent that dies leaves a break, with what it cut off, how it ended and how it came back", () => {
  const story = turns(1).queue(2).deliver(2).die();
  assert.partialDeepStrictEqual(marksIn(story).at(-1), {
    kind: "break",
    ending: { kind: "killed", signal: "SIGKILL" },
    turn: 2,
    resume: null,
  });
  story.captured(9).queue(3).begin().ready(NATIVE);
  assert.deepEqual(short(story), [
    "start",
    "1 own",
    "2 own",
    "break 2 native",
    "3 own",
  ]);
});

test("[SES-172] deaths with no life between them are one break, and the first says how it began", () => {
  const story = turns(1).die([], { kind: "exited", code: 3 });
  story.queue(2).begin().die([], { kind: "vanished" });
  assert.deepEqual(short(story), ["start", "1 own", "break - open"]);
  story.begin().ready(NATIVE);
  const marks = marksIn(story);
  const [broken] = marks.filter(({ kind }) => kind === "break");
  assert.partialDeepStrictEqual(broken, {
    ending: { kind: "exited", code: 3 },
    resume: { grade: "native" },
  });
});

test("[SES-172] a quota cuts a turn off, and nothing died", () => {
  const story = begun().queue(1).deliver(1).useUp(1).captured(2);
  assert.deepEqual(short(story), ["start", "1 own"]);
  assert.equal(turnsIn(marksIn(story))[0]?.outcome, "interrupted");
  story.die();
  assert.deepEqual(short(story).at(-1), "break - open", "it died later");
});

test("[SES-172] what ran when a session was moved did not die: it rests", () => {
  const moved = (story: Story) =>
    lineOf(
      decideImport(
        { events: story.events, task_id: null, place: LOCAL, cwd: "/new" },
        at(59),
      ).events,
    ).map(({ kind }) => kind);
  const story = begun().queue(1).deliver(1);
  assert.deepEqual(moved(story), ["start", "turn", "rest"]);
  assert.deepEqual(
    moved(story.die().captured(2)),
    ["start", "turn", "break"],
    "a death before it stays one",
  );
});

test("[SES-173] a pause is a rest, and its resume is told there", () => {
  const story = turns(1)
    .given({ type: "session.pause", reason: "paused" })
    .die([], { kind: "stopped" })
    .captured(9);
  assert.deepEqual(short(story), ["start", "1 own", "rest open"]);
  story.queue(2).begin().ready(NATIVE);
  assert.deepEqual(short(story), ["start", "1 own", "rest native", "2 own"]);
});

test("[SES-173] where the agent is dead already, a pause adds no mark", () => {
  const story = turns(1).die();
  story.given({ type: "session.pause", reason: "paused" });
  assert.deepEqual(short(story), ["start", "1 own", "break - open"]);
});

test("[SES-173] a stop for other credentials is a rest too, with the resume behind it", () => {
  const story = turns(1);
  story.given({
    type: "prompt.queue",
    prompt_id: prompt(2),
    content: [{ type: "text", text: "2" }],
    credentials: "other",
  });
  story.die([], { kind: "stopped" });
  assert.deepEqual(short(story), ["start", "1 own"]);
  story.begin(undefined, {}, { credentials: "other" }).ready(NATIVE);
  assert.deepEqual(short(story), ["start", "1 own", "rest native", "2 own"]);
});

test("[SES-173] a server that comes back leaves a tick, and many in a row one", () => {
  const story = turns(1);
  const back = (took_ms: number): Story =>
    story.given({
      type: "execution.reattach",
      epoch: 1,
      took_ms,
      agentctl: {
        runtime: "standalone",
        url: "unix:/s",
        pid: 2,
        build: "0",
      },
    });
  back(1);
  back(2);
  assert.deepEqual(short(story), ["start", "1 own", "tick"]);
  assert.partialDeepStrictEqual(marksIn(story).at(-1), {
    kind: "tick",
    resume: { grade: "reattached", took_ms: 2 },
  });
  turn(story, 2);
  back(3);
  assert.deepEqual(short(story), ["start", "1 own", "tick", "2 own", "tick"]);
});

test("[SES-176] the end of a session is a mark, and the stop of its agent is none", () => {
  const story = turns(1).given({
    type: "session.end",
    outcome: "completed",
    reason: "requested",
  });
  story.die([], { kind: "stopped" });
  assert.deepEqual(short(story), ["start", "1 own", "ended"]);
});
