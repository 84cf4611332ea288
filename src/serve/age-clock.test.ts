import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openAgeClock } from "./age-clock.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse("2026-11-16T12:00:00Z");

const stage = (t: TestContext) => {
  const home = mkdtempSync(join(tmpdir(), "reprise-clock-"));
  t.after(() => rmSync(home, { recursive: true }));
  const machine = { boot_id: "one", wall: START, uptime: 5 * HOUR };
  const told: object[] = [];
  const open = () =>
    openAgeClock(
      home,
      { warn: (facts) => void told.push(facts) },
      {
        boot_id: machine.boot_id,
        wall: () => machine.wall,
        uptime: () => machine.uptime,
      },
    );
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
