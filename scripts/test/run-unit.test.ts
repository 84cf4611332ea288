import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { patience } from "../../src/kit/fixtures/patience.ts";
import { runUnit } from "./run-unit.ts";

const hanging = `import { test } from "node:test";
test("is done", () => {});
test("waits for ever", () => new Promise(() => setTimeout(() => {}, 1e9)));
test("is never reached", () => {});`;

test("a file that takes too long is stopped, and told with the test that it was running", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "run-unit-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const file = join(directory, "hanging.test.ts");
  await writeFile(file, hanging);
  const { outcomes } = await runUnit([file], {
    tmp: join(directory, "tmp"),
    grep: undefined,
    signal: new AbortController().signal,
    slowness: 1,
    env: {},
    limitMs: patience(2500),
  });
  const failed = outcomes.filter((outcome) => outcome.type === "failed");
  assert.deepEqual(
    failed.map(({ name, error }) => [name, error]),
    [
      [
        "(the file)",
        "it was stopped, for it took too long, while it ran: waits for ever",
      ],
    ],
  );
  assert.ok(outcomes.some(({ name }) => name === "is done"));
});
