/**
 * `npm run chaos -- --minutes M --seed S`: the real server, agentctl and demo agents under random kills, then the
 * promises are checked. Exits with 1 when one was broken.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { describeResult } from "../test/chaos/print.ts";
import { runChaos } from "../test/chaos/run.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    sessions: { type: "string", default: "12" },
    /** The sources to run; those of this checkout unless given. */
    tree: { type: "string", default: resolve(import.meta.dirname, "..") },
    /** Leave the home and everything else where it is, though no promise was broken. */
    keep: { type: "boolean", default: false },
  },
});

const { minutes, seed, sessions } = values;
console.log(
  `npm run chaos -- --minutes ${minutes} --seed ${seed} --sessions ${sessions}`,
);
const result = await runChaos({
  root: resolve(values.tree),
  seed: Number(seed),
  ms: Number(minutes) * 60_000,
  sessions: Number(sessions),
  keep: values.keep ? "always" : "when_broken",
  say: (words) => console.log(words),
});
console.log(describeResult(result));
const isBroken = result.violations.length > 0;
if (values.keep || isBroken)
  console.log(`everything is in ${result.directory}`);
if (isBroken) process.exitCode = 1;
