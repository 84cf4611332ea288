/** FIFOs and other things in the places of git's own files. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { withBench } from "../../fixtures/bench.ts";
import { inRepository } from "../../fixtures/in-repository.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import { patience } from "../../../kit/fixtures/patience.ts";
import { within } from "../../../kit/time/deadline.ts";
import { git as runGit } from "./git.ts";
import { removeGitLink } from "./git-link.ts";
import { headOf } from "./git-state.ts";

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

const ELSEWHERE = [
  "refs/heads/main",
  "refs/heads/other",
  "refs/tags/v1",
  "packed-refs",
  "logs/HEAD",
  "logs/refs/heads/main",
  "objects/info/alternates",
  "objects/info/commit-graph",
  "info/exclude",
  "info/attributes",
  "shallow",
  "config.worktree",
  "commondir",
  "ORIG_HEAD",
  "MERGE_HEAD",
];

for (const name of ELSEWHERE)
  test(`[LNK-95] a FIFO at .git/${name} keeps neither a capture nor a rewind waiting`, () =>
    withBench(async (bench) => {
      const at = await inRepository(bench);
      const tree = await at.save();
      await at.commit("b.txt");
      const path = join(at.cwd, ".git", name);
      await rm(path, { force: true });
      await mkdir(dirname(path), { recursive: true });
      makeFifo(path);
      await soon(at.save());
      // It may be refused; what it found is said, and nobody waits.
      await soon(at.rewind(tree)).catch((error: unknown) => {
        assert.ok(error instanceof LinkError, String(error));
      });
      await rm(path, { force: true });
    }));

test("[LNK-95] nor does a FIFO in the repository of a worktree, or in the place of an object", () =>
  withBench(async (bench) => {
    const { cwd, git } = await inRepository(bench);
    const other = join(bench.home, "other");
    git("worktree", "add", "-q", other);
    const commit = git("rev-parse", "HEAD");
    const object = join("objects", commit.slice(0, 2), commit.slice(2));
    for (const name of ["refs/heads/other", object]) {
      const path = join(cwd, ".git", name);
      await rm(path);
      makeFifo(path);
      assert.equal(await soon(headOf(other).then(({ head }) => head)), null);
      await assert.rejects(
        soon(runGit(other, "log", "-1")),
        new RegExp(`${name}.*is no plain file`),
      );
      await rm(path);
      if (name !== object) git("update-ref", name, commit);
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
