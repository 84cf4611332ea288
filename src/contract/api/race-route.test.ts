import assert from "node:assert/strict";
import { test } from "node:test";
import { Race, raceOf, RaceShape, shapeIn } from "./race-route.ts";

const whole = {
  prompt: "9f2c",
  agents: ["claude", "codex"],
  repository: "/work",
  session: null,
  permissions: "ask",
};

const values: unknown[] = [
  whole,
  { ...whole, later: 1 },
  ...Object.keys(whole).flatMap((key) => [
    { ...whole, [key]: undefined },
    { ...whole, [key]: 7 },
    { ...whole, [key]: null },
    { ...whole, [key]: ["claude", 7] },
  ]),
  [],
  null,
  "text",
];

test("[RAC-20] a race is read without schemas as its schema reads it", () => {
  for (const value of values) {
    const text = JSON.stringify(value);
    const expected = RaceShape.safeParse(JSON.parse(text)).data ?? null;
    assert.deepEqual(shapeIn(text), expected, text);
  }
  assert.deepEqual(shapeIn("{"), null);
  assert.deepEqual(shapeIn(null), null);
});

test("[RAC-20] what is kept as the number of a run counts only where there is such a run", async () => {
  const keptIn = async (kept: string) => {
    const race = await raceOf("name", async (agreement) => {
      if (agreement === "race.name") return JSON.stringify(whole);
      return agreement === "race-kept.name" ? kept : null;
    });
    return Race.parse(race).kept;
  };
  assert.equal(await keptIn("2"), 2);
  for (const kept of ["", "0", "3", "1.5", "-1", "1e0", "1e999", "yes"])
    assert.equal(await keptIn(kept), null, kept);
});
