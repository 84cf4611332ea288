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
import { loadOrMakeSecret } from "./secret-file.ts";

const scratch = async (t: TestContext): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-secret-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
};

test("[LNK-2] the token is made once, however many come first, and only we can read it", async (t) => {
  const directory = await scratch(t);
  const tokens = await Promise.all(
    Array.from({ length: 20 }, () =>
      loadOrMakeSecret(join(directory, "token")),
    ),
  );
  assert.equal(new Set(tokens).size, 1);
  assert.match(tokens[0] ?? "", /^[0-9a-f]{64}$/);
  assert.equal(await loadOrMakeSecret(join(directory, "token")), tokens[0]);
  const path = join(directory, "token");
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal((await readFile(path, "utf8")).trim(), tokens[0]);
  assert.deepEqual(await readdir(directory), ["token"]);
});

for (const content of ["hello", "", "0".repeat(63)])
  test(`[LNK-2] a file that holds "${content}" is refused, not replaced`, async (t) => {
    const path = join(await scratch(t), "token");
    await writeFile(path, content);
    await assert.rejects(loadOrMakeSecret(path), { code: "no_secret" });
    assert.equal(await readFile(path, "utf8"), content);
  });
