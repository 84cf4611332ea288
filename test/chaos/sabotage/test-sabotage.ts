/** The run of chaos can fail: builds that break a promise are found out in a short one. Each schedule has a file of its own. */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { describeResult } from "../print.ts";
import type { harmless, sabotages } from "./sabotage.ts";
import { runBroken, runHarmless, type schedules } from "./sabotaged-run.ts";
import { patience } from "../../../src/kit/fixtures/patience.ts";

const root = resolve(import.meta.dirname, "../../..");
const timeout = patience(600_000);

/** Chance decides what a storm hits: a broken build may come through one unseen, never through all of them. */
const SEEDS = [1, 2, 3, 4, 5, 6];

export const broken = (
  name: keyof typeof sabotages,
  schedule: keyof typeof schedules,
  rule: string,
): void =>
  void test(`[${rule}] ${name} is found out`, { timeout }, async () => {
    const unseen: string[] = [];
    for (const seed of SEEDS) {
      const result = await runBroken(root, name, schedule, seed);
      if (result.violations.some((violation) => violation.rule === rule))
        return;
      unseen.push(describeResult(result));
    }
    assert.fail(unseen.join("\n"));
  });

export const whole = (
  name: keyof typeof harmless,
  schedule: keyof typeof schedules,
): void =>
  void test(`${name} alone breaks no promise`, { timeout }, async () => {
    const result = await runHarmless(root, name, schedule);
    // A server that finds itself superseded says so in its log.
    const serious = result.violations.filter(({ rule }) => rule !== "log");
    assert.deepEqual(serious, [], describeResult(result));
  });
