import assert from "node:assert/strict";
import { test } from "node:test";
import { LOCAL, type PlaceRef } from "../../contract/base/place.ts";
import type { EventOf } from "../../contract/event/event.ts";
import type { Derivation } from "../../runtime/ports/store.ts";
import { allNeeded } from "../fixtures/conformance/rule.ts";
import {
  append,
  at,
  captured,
  said,
  sessionId,
  sessionView,
} from "../fixtures/conformance/sample.ts";
import { databasePath, openAt } from "./fixtures/place.ts";
import { spoil } from "./fixtures/spoil.ts";

const one = sessionId(1);
const far: PlaceRef = { kind: "remote", id: "far" };

const imported = (seq: number): EventOf<"session.imported"> => ({
  seq,
  session_id: one,
  task_id: null,
  at: at(seq),
  type: "session.imported",
  data: { place: LOCAL, cwd: "/here", memory: null },
});

/** What the other home said holds until the import. */
const derive = (): Derivation => {
  let where = { place: far, cwd: "/there" };
  return {
    add: (event) => {
      if (event.type !== "session.imported") return;
      const { place = LOCAL, cwd } = event.data;
      where = { place, cwd };
    },
    derived: () => ({
      view: sessionView(one, where),
      executor: null,
      attention: null,
      prompts: [],
      permissions: [],
      news: false,
    }),
  };
};

const events = [said(one, 1), captured(one, 2), said(one, 3), imported(4)];

for (const [what, damages, cwd] of [
  [
    "the place and the directory that the import gave it",
    ["UPDATE events SET body = '{}' WHERE seq = 3", "DELETE FROM checkpoints"],
    "/here",
  ],
  [
    "the place that its checkpoints are at, where the import cannot be read either",
    ["UPDATE events SET body = '{}' WHERE seq IN (3, 4)"],
    "/there",
  ],
] as const)
  test(`[STO-59] a session whose journal is damaged before its import gets ${what}`, async (t) => {
    const path = databasePath(t);
    const store = await openAt(path, { derive });
    const term = await store.claim();
    const view = sessionView(one, { place: LOCAL, cwd: "/here", last_seq: 4 });
    await store.append(append(term, one, 0, 0, { events, view }));
    for (const sql of damages) spoil(path, sql);
    spoil(path, "UPDATE sessions SET checksum = 'AAAAAAAAAAA'");
    const session = await store.session(one);
    assert.equal(session?.damaged_from, 3);
    assert.deepEqual(session.place, LOCAL);
    assert.equal(session.cwd, cwd);
    const [needed] = await allNeeded(store);
    assert.deepEqual(needed?.checkpoints[0]?.place, LOCAL);
  });
