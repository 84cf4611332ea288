import assert from "node:assert/strict";
import { test } from "node:test";
import type { Race } from "../../../src/contract/api/race-route.ts";
import { NO_RACES, withNewest, withOlder } from "./listed-races.ts";

const page = (names: readonly string[], next: string | null) => ({
  races: names.map((name): Race => ({
    name,
    shape: {
      prompt: "",
      agents: [],
      repository: null,
      session: null,
      permissions: null,
    },
    runs: [],
    kept: null,
    carried_out: false,
  })),
  next,
});

test("[PAG-243] older races that were asked for stay when the newest are read again", () => {
  const first = withNewest(NO_RACES, page(["d", "c"], "race.c"));
  const all = withOlder(first, "race.c", page(["b", "a"], null));
  assert.deepEqual(all, { names: ["d", "c", "b", "a"], next: null });
  const later = withNewest(all, page(["e", "d"], "race.d"));
  assert.deepEqual(later, { names: ["e", "d", "c", "b", "a"], next: null });
});

test("[PAG-243] where races may be missing in between, only the newest are listed", () => {
  const all = { names: ["b", "a"], next: null };
  assert.deepEqual(withNewest(all, page(["d", "c"], "race.c")), {
    names: ["d", "c"],
    next: "race.c",
  });
  assert.deepEqual(withNewest(all, page([], null)), NO_RACES);
});

test("[PAG-243] an older page that was asked for before the list changed is not put behind it", () => {
  const listed = { names: ["d", "c"], next: "race.c" };
  assert.equal(withOlder(listed, "race.b", page(["a"], null)), listed);
});
