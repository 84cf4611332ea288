import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../client.ts";
import { changedFiles } from "./turn-files.ts";

test("[RAC-31] files that git keeps for itself are not among those that a turn changed", async () => {
  const client = {
    showDiff: async () => ({
      changes: [
        { path: ".git/index", kind: "modified" },
        { path: "vendor/lib/.git", kind: "added" },
        { path: ".github/ci.yml", kind: "added" },
        { path: "a.txt", kind: "removed" },
      ],
    }),
  };
  const files = await changedFiles(
    client as unknown as Client,
    "ses_1",
    { turn: 1, endedAt: 1 },
    { signal: undefined, filesWithinMs: 0 },
  );
  assert.deepEqual(files, [
    { path: ".github/ci.yml", change: "added" },
    { path: "a.txt", change: "deleted" },
  ]);
});
