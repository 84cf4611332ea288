import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AgeClock, openAgeClock } from "./age-clock.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse("2026-11-16T12:00:00Z");

const stage = (t: TestContext) => {
  const home = mkdtempSync(join(tmpdir(), "reprise-clock-"));
  const opened: AgeClock[] = [];
  t.after(async () => {
    // Each writes down what it saw, a moment later.
    for (const clock of opened) await clock.drain();
    rmSync(home, { recursive: true });
  });
  const machine = { boot_id: "one", wall: START, uptime: 5 * HOUR };
  const told: object[] = [];
  const open = async () => {
    const clock = await openAgeClock(
      home,
      { warn: (facts) => void told.push(facts) },
      {
        boot_id: machine.boot_id,
        wall: () => machine.wall,
        uptime: () => machine.uptime,
      },
    );
    opened.push(clock);
    return clock;
  };
  return { home, machine, told, open };
};

test("[REC-39] a clock that is set ahead makes nothing older, and this is told once", async (t) => {
  const { machine, told, open } = stage(t);
  const ages = await open();
  machine.wall += HOUR + 10 * DAY;
  machine.uptime += HOUR;
  assert.equal(ages.now().getTime(), START + HOUR);
  assert.equal(ages.now().getTime(), START + HOUR);
  assert.deepEqual(told, [{ ahead_ms: 10 * DAY }]);
});

test("[REC-39] nor does it for the server that is started afterwards", async (t) => {
  const { machine, open } = stage(t);
  await open();
  machine.wall += HOUR + 10 * DAY;
  machine.uptime += HOUR;
  assert.equal((await open()).now().getTime(), START + HOUR);
  machine.boot_id = "two";
  machine.uptime = 1;
  assert.equal((await open()).now().getTime(), START + HOUR + 10 * DAY);
});

test("[REC-39] a clock that is set back makes everything younger, until it is right again", async (t) => {
  const { machine, told, open } = stage(t);
  const ages = await open();
  machine.wall -= 10 * DAY;
  assert.equal(ages.now().getTime(), START - 10 * DAY);
  machine.wall += 10 * DAY + HOUR;
  machine.uptime += HOUR;
  assert.equal(ages.now().getTime(), START + HOUR);
  assert.deepEqual(told, []);
});

test("[REC-39] what cannot be read of the first look counts as none", async (t) => {
  const { home, open } = stage(t);
  writeFileSync(join(home, "clock.json"), '{"boot_id":');
  assert.equal((await open()).now().getTime(), START);
});

test("[REC-39] what was stamped while the clock was set back counts from when that was", async (t) => {
  const { machine, open } = stage(t);
  const ages = await open();
  machine.wall += DAY;
  machine.uptime += DAY;
  const right = ages.stamp().toISOString();
  machine.wall -= 10 * DAY;
  const behind = ages.stamp().toISOString();
  machine.wall += 10 * DAY + HOUR;
  machine.uptime += HOUR;
  const now = ages.now().getTime();
  assert.equal(now, START + DAY + HOUR);
  assert.equal(Date.parse(ages.since(behind)), START + DAY);
  assert.equal(ages.since(right), right);
  await ages.drain();
  machine.boot_id = "two";
  assert.equal(Date.parse((await open()).since(behind)), START + DAY);
});

test("[REC-39] so does what was stamped on a machine that began with a clock that was behind", async (t) => {
  const { machine, open } = stage(t);
  const before = await open();
  machine.wall += DAY;
  machine.uptime += DAY;
  before.now();
  await before.drain();
  Object.assign(machine, { boot_id: "two", wall: 0, uptime: 1 });
  const ages = await open();
  const behind = ages.stamp().toISOString();
  await ages.drain();
  Object.assign(machine, { boot_id: "three", wall: START + 9 * DAY });
  assert.equal(Date.parse((await open()).since(behind)), START + DAY);
});

test("[REC-39] a clock that is put right on a new home makes nothing older, and one that was set ahead nothing young for ever", async (t) => {
  const { machine, open } = stage(t);
  machine.wall = 0;
  const ages = await open();
  const behind = ages.stamp().toISOString();
  machine.wall = START;
  ages.now();
  await ages.drain();
  Object.assign(machine, { boot_id: "two", wall: 60_000 });
  await (await open()).drain();
  Object.assign(machine, { boot_id: "three", wall: START + HOUR });
  assert.equal(Date.parse((await open()).since(behind)), START);

  // The same, if that was no correction.
  const again = stage(t);
  const other = await again.open();
  const stamp = other.stamp().toISOString();
  again.machine.wall += 3650 * DAY;
  other.now();
  await other.drain();
  Object.assign(again.machine, { boot_id: "two", wall: START + DAY });
  assert.equal(Date.parse((await again.open()).since(stamp)), START + DAY);
});
