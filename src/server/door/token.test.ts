import assert from "node:assert/strict";
import {
  chmod,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { RepriseError } from "../../contract/problem/problem.ts";
import { loadOrMakeToken } from "./token.ts";

const inFolder = async (
  run: (path: string, folder: string) => Promise<void>,
): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "reprise-token-"));
  try {
    await run(join(folder, "token"), folder);
  } finally {
    await rm(folder, { recursive: true });
  }
};

test("[API-8] the token is made once, random, readable by its owner only", () =>
  inFolder(async (path, folder) => {
    const token = await loadOrMakeToken(path);
    assert.match(token, /^[A-Za-z0-9_-]{43}$/);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await readFile(path, "utf8")).trim(), token);
    assert.equal(await loadOrMakeToken(path), token);
    assert.deepEqual(await readdir(folder), ["token"]);
  }));

test("[API-8] several that start at once agree", () =>
  inFolder(async (path) => {
    const tokens = await Promise.all(
      Array.from({ length: 8 }, () => loadOrMakeToken(path)),
    );
    assert.equal(new Set(tokens).size, 1);
  }));

for (const mode of [0o640, 0o604, 0o644])
  test(`[API-8] a token file of mode ${mode.toString(8)} is refused and left as it is`, () =>
    inFolder(async (path) => {
      await loadOrMakeToken(path);
      await chmod(path, mode);
      await assert.rejects(loadOrMakeToken(path), (error) => {
        assert.ok(error instanceof RepriseError);
        assert.equal(error.code, "cannot_start");
        assert.match(error.message, /read by others.*Remove it/);
        return true;
      });
      assert.equal((await stat(path)).mode & 0o777, mode);
    }));

for (const [what, content] of [
  ["empty", ""],
  ["too short", "abc"],
  ["not a token", "a b\nc".repeat(20)],
] as const)
  test(`[API-8] a token file that is ${what} is refused`, () =>
    inFolder(async (path) => {
      await writeFile(path, content, { mode: 0o600 });
      await assert.rejects(loadOrMakeToken(path), /holds no token/);
    }));

test("[API-8] a home that is not there is said in a sentence", () =>
  inFolder(async (path) => {
    await assert.rejects(
      loadOrMakeToken(join(path, "deeper")),
      (error) =>
        error instanceof RepriseError &&
        error.code === "cannot_start" &&
        /cannot be read or made/.test(error.message),
    );
  }));
