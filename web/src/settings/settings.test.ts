import assert from "node:assert/strict";
import { test } from "node:test";
import { PageSettings } from "../../../src/contract/api/first-view.ts";
import { sessionId } from "../fixtures/samples.ts";
import { noticeState, noticeWords } from "./notice-state.ts";
import { serverFacts } from "./server-facts.ts";
import { spaceOf } from "./space.ts";

test("[PAG-172] where there are no notices, or they are blocked, the page says what to do", () => {
  assert.equal(noticeState({}), "none");
  assert.equal(
    noticeState({ Notification: { permission: "denied" } }),
    "denied",
  );
  assert.match(noticeWords.denied, /Allow them in its settings/);
  assert.match(noticeWords.none, /https/);
});

test("[PAG-170] each setting is told as it is", () => {
  const text = (setting: string, different: Partial<PageSettings> = {}) =>
    serverFacts({ ...PageSettings.parse({}), ...different }).find(
      (fact) => fact.setting === setting,
    )?.text;
  assert.match(text("auto_resume") ?? "", /is resumed by itself/);
  assert.match(text("auto_resume", { auto_resume: false }) ?? "", /is not/);
  assert.match(text("idle_minutes") ?? "", /after 30 quiet minutes/);
  assert.match(text("idle_minutes", { idle_minutes: null }) ?? "", /go on/);
  assert.match(
    text("retention_days", { retention_days: 1 }) ?? "",
    /1 day ago/,
  );
  for (const recovery of ["all", "startup", "lazy", "off", "later"])
    assert.ok(text("recovery", { recovery }));
});

test("[PAG-171] space is told by kind, with the largest first and places that do not answer", () => {
  const row = (number: number, bytes: number, deleted_at: string | null) => ({
    id: sessionId(number),
    name: `Session ${number}`,
    deleted_at,
    bytes,
  });
  const space = spaceOf({
    sessions: [
      row(1, 10, null),
      row(2, 30, null),
      row(3, 20, "2026-01-01T00:00:00.000Z"),
      row(4, 0, null),
      { ...row(5, 5, null), name: null, first_prompt: "mend the roof\nsoon" },
    ],
    total_bytes: 50,
    places: [
      { place: { kind: "standalone", id: "local" }, total_bytes: 50 },
      {
        place: { kind: "docker", id: "two" },
        problem: { code: "agentctl_unavailable", detail: "It is away." },
      },
    ],
  });
  assert.equal(space.totalBytes, 50);
  assert.deepEqual([space.sessions, space.sessionsBytes], [4, 45]);
  assert.deepEqual([space.inTrash, space.trashBytes], [1, 20]);
  assert.deepEqual(
    space.largest.map(({ bytes, isInTrash }) => [bytes, isInTrash]),
    [
      [30, false],
      [20, true],
      [10, false],
      [5, false],
    ],
  );
  assert.equal(space.largest.at(-1)?.name, "mend the roof");
  assert.deepEqual(space.places, [{ name: "standalone local", bytes: 50 }]);
  assert.deepEqual(space.problems, [
    { place: "docker two", detail: "It is away." },
  ]);
});
