import assert from "node:assert/strict";
import { test } from "node:test";
import type { InForce } from "../../contract/agent/restriction.ts";
import { Story } from "../testing.ts";
import { isQuiet } from "./quiet.ts";

const inForce: InForce = {
  mode: { value: "read-only", held: "agent" },
  model: null,
  settings: null,
  tools: { held: "words" },
};

void test("[API-173] whoever follows all sessions is told when an agent leaves its mode by itself, and of no other update", () => {
  const story = new Story().begin().ready({ applied: inForce });
  const isQuietUpdate = (update: unknown): boolean => {
    const { state: before, events } = story;
    const known = events.length;
    story.report({ kind: "unknown", range: story.words(5), update });
    const added = story.events.slice(known);
    assert.deepEqual(
      added.map(({ type }) => type),
      ["session.agent.update"],
    );
    return isQuiet(added, before, story.state);
  };
  const mode = { sessionUpdate: "current_mode_update", currentModeId: "work" };
  assert.equal(isQuietUpdate({ sessionUpdate: "something_else" }), true);
  assert.equal(isQuietUpdate(mode), false);
  assert.equal(isQuietUpdate(mode), true);
});
