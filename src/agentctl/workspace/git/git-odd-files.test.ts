/** FIFOs and other things in the places of git's own files. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { withBench } from "../../fixtures/bench.ts";
import { inRepository } from "../../fixtures/in-repository.ts";
import { patience } from "../../../kit/fixtures/patience.ts";
import { within } from "../../../kit/time/deadline.ts";
import { removeGitLink } from "./git-link.ts";

const makeFifo = (path: string): void => {
  execFileSync("mkfifo", [path]);
};

/** Whatever waits for a FIFO waits for ever. */
const soon = <T>(work: Promise<T>): Promise<T> =>
  within("an answer", patience(30_000), work);

test("[LNK-91] a capture does not wait for a FIFO in the place of .git or of a file that git reads", () =>
  withBench(async (bench) => {
    const at = await inRepository(bench);
    for (const name of [".git/HEAD", ".git/config", ".git/index", ".git"]) {
      const path = join(at.cwd, name);
      const aside = join(bench.home, "aside");
      await rename(path, aside);
      makeFifo(path);
      await soon(at.save());
      await rm(path);
      await rename(aside, path);
    }
  }));

test("[LNK-91] only the very link that came out of a tree is removed, and nothing else is waited for", () =>
  withBench(async ({ home }) => {
    const path = join(home, ".git");
    const link = Buffer.from("gitdir: /somewhere\n");
    const other = join(home, "other");
    await writeFile(other, link);
    for (const make of [
      async () => makeFifo(path),
      () => mkdir(path),
      () => symlink("/dev/zero", path),
      () => symlink(other, path),
      () => writeFile(path, "gitdir: /elsewhere\n"),
      () => writeFile(path, "x".repeat(100_000)),
    ]) {
      await make();
      await soon(removeGitLink(home, link));
      assert.ok(existsSync(other));
      await rm(path, { recursive: true });
    }
    await removeGitLink(home, link);
    await writeFile(path, link);
    await removeGitLink(home, link);
    assert.equal(existsSync(path), false);
  }));
