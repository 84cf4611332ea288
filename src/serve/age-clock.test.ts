import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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

const makeUnreadable: Record<string, (path: string) => void> = {
  "that is cut off": (path) => writeFileSync(path, '{"boot_id":'),
  "with a time that there is not": (path) =>
    writeFileSync(path, reading({ from: 0, to: 1e300, since: 1e300 })),
  "that is too large": (path) =>
    writeFileSync(path, reading({}) + " ".repeat(10_000)),
  "that is a FIFO": (path) => execFileSync("mkfifo", [path]),
  "that is a link": (path) => {
    writeFileSync(`${path}.there`, reading({}));
    symlinkSync(`${path}.there`, path);
  },
  "that is a directory": (path) => mkdirSync(path),
};
const reading = (doubted: object): string =>
  JSON.stringify({ boot_id: "one", wall: 0, uptime: 0, doubted });

for (const [which, make] of Object.entries(makeUnreadable))
  test(`[REC-39] a clock.json ${which} counts as none, and this is told once`, async (t) => {
    const { home, told, open } = stage(t);
    make(join(home, "clock.json"));
    const ages = await open();
    assert.equal(ages.now().getTime(), START);
    const stamp = new Date(START).toISOString();
    assert.equal(ages.since(stamp), stamp);
    assert.deepEqual(told, [{ path: join(home, "clock.json") }]);
  });

for (const [when, between] of [
  ["when the machine is started", 0],
  ["later", HOUR],
] as const)
  test(`[REC-39] a clock that is years ahead for a moment ${when} keeps nothing for years`, async (t) => {
    const { machine, open } = stage(t);
    const pass = (ms: number): void => {
      machine.wall += ms;
      machine.uptime += ms;
    };
    machine.wall += between === 0 ? 3650 * DAY : 0;
    const ages = await open();
    pass(between);
    const early = ages.stamp().toISOString();
    if (between > 0) machine.wall += 3650 * DAY;
    const future = ages.stamp().toISOString();
    pass(60_000);
    machine.wall -= 3650 * DAY;
    const back = machine.wall;
    const since = (clock: AgeClock, stamp: string): number =>
      Date.parse(clock.since(stamp));
    assert.equal(since(ages, future), back);
    pass(DAY);
    const late = ages.stamp().toISOString();
    pass(40 * DAY);
    await ages.drain();
    for (const clock of [ages, await open()]) {
      assert.equal(clock.now().getTime(), machine.wall);
      assert.equal(since(clock, future), back);
      assert.ok(since(clock, early) <= back);
      assert.equal(since(clock, late), back + DAY);
    }
    // What is sure about stamps from the future begins anew with the machine; the rest is not forgotten.
    await ages.drain();
    Object.assign(machine, { boot_id: "two", uptime: 1 });
    const next = await open();
    assert.ok(since(next, late) <= machine.wall);
    pass(40 * DAY);
    assert.ok(since(next, future) <= machine.wall - 40 * DAY);
    assert.ok(since(next, late) <= machine.wall - 40 * DAY);
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
