import assert from "node:assert/strict";
import { test } from "node:test";
import { cachedUptime } from "./cached-uptime.ts";

const stage = () => {
  const machine = { uptime: 5000, wall: 1e12, monotonic: 70, asked: 0 };
  const uptime = cachedUptime(
    () => {
      machine.asked += 1;
      return machine.uptime;
    },
    { wall: () => machine.wall, monotonic: () => machine.monotonic },
  );
  const pass = (ms: number): void => {
    machine.uptime += ms;
    machine.wall += ms;
    machine.monotonic += ms;
  };
  return { machine, uptime, pass };
};

test("[REC-39] the machine is asked for its uptime at most once a second, and the answer is exact", () => {
  const { machine, uptime, pass } = stage();
  for (let n = 0; n < 1000; n += 1) {
    pass(10);
    assert.equal(uptime(), machine.uptime);
  }
  assert.ok(machine.asked <= 11, `asked ${machine.asked} times`);
});

test("[REC-39] it is asked at once when it slept, or when its clock was set", () => {
  const { machine, uptime, pass } = stage();
  pass(10);
  machine.uptime += 3_600_000;
  machine.wall += 3_600_000;
  assert.equal(uptime(), machine.uptime);
  for (const step of [-3_600_000, 7_200_000]) {
    const { asked } = machine;
    pass(10);
    machine.wall += step;
    uptime();
    assert.equal(machine.asked, asked + 1);
  }
});
