import assert from "node:assert/strict";
import {
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { RepriseError } from "../../contract/problem.ts";
import { loadOrMakeToken } from "./token.ts";

const scratch = async (t: TestContext): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-token-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
};

test("the token is made once, however many come first, and only we can read it", async (t) => {
  const directory = await scratch(t);
  const tokens = await Promise.all(
    Array.from({ length: 20 }, () => loadOrMakeToken(directory)),
  );
  assert.equal(new Set(tokens).size, 1);
  assert.match(tokens[0] ?? "", /^[0-9a-f]{64}$/);
  assert.equal(await loadOrMakeToken(directory), tokens[0]);
  const path = join(directory, "token");
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal((await readFile(path, "utf8")).trim(), tokens[0]);
  assert.deepEqual(await readdir(directory), ["token"]);
});

test("a file that holds no token is refused, not replaced", async (t) => {
  const directory = await scratch(t);
  await writeFile(join(directory, "token"), "hello");
  await assert.rejects(
    loadOrMakeToken(directory),
    (error) =>
      error instanceof RepriseError && error.code === "agentctl_unavailable",
  );
  assert.equal(await readFile(join(directory, "token"), "utf8"), "hello");
});
