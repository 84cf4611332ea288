import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { checkConfig } from "./config.ts";

test("[API-136] doctor finds an entry for an agent that nobody knows", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(home, { recursive: true }));
  await writeFile(
    join(home, "config.json"),
    '{"agents": {"claud": {"driver": "stream-json"}}}',
  );
  const { verdict, words } = await checkConfig(home);
  assert.equal(verdict, "fail");
  assert.match(words, /agents\.claud: .*did you mean claude\?/);
});
