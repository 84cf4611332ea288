/** Kills a real process between any two steps by which git goes back, and does the same again. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { GitState } from "../../../contract/session/checkpoint.ts";
import type { Worktree } from "../../../contract/link/link-workspace.ts";
import { COMPILED } from "../../../kit/fixtures/compiled.ts";
import { gitKills } from "../../fixtures/git-kills.ts";
import { newSession } from "../../fixtures/ids.ts";
import { gitIn, makeRepository } from "../../fixtures/repository.ts";
import { makeWorktree } from "./worktree.ts";

describe("[CPT-28] a rewind of git that is cut off is finished by the same order", () => {
  for (const { at, passage } of gitKills)
    test(`killed at ${at}:${passage}`, async (t) => {
      const home = mkdtempSync(join(tmpdir(), "reprise-git-"));
      t.after(() =>
        rmSync(home, { recursive: true, force: true, maxRetries: 10 }),
      );
      const { worktree, path, git, to, left } = await scene(home);
      const session = newSession();
      const before = git("rev-parse", "main", "feature", "other");

      const killed = run(session, worktree, to, `${at}:${passage}`);
      assert.equal(killed.signal, "SIGKILL");
      assert.equal(run(session, worktree, to, null).status, 0);

      assert.equal(git("rev-parse", "HEAD"), to.head);
      assert.equal(git("branch", "--show-current"), worktree.branch);
      assert.equal(git("write-tree"), to.index);
      assert.equal(git("diff", "--cached", "--name-only"), "staged.txt");
      assert.equal(git("rev-parse", "main", "feature", "other"), before);
      git("branch", "-qD", "feature");
      git("reflog", "expire", "--expire=now", "--all");
      git("gc", "--quiet", "--prune=now");
      for (const commit of left) git("cat-file", "-e", commit);
      assert.equal(gitIn(path, "fsck", "--no-dangling"), "");
    });
});

describe("[CPT-33] a rewind of somebody's repository that is cut off is finished by the same order", () => {
  for (const gone of [true, false])
    for (const passage of gone ? [1, 2, 3, 4] : [1, 2])
      test(`killed at ${passage}, the branch ${gone ? "gone" : "moved"}`, (t) => {
        const home = mkdtempSync(join(tmpdir(), "reprise-git-"));
        t.after(() =>
          rmSync(home, { recursive: true, force: true, maxRetries: 10 }),
        );
        const repository = makeRepository(join(home, "repository"));
        const git = (...args: string[]) => gitIn(repository, ...args);
        const head = git("rev-parse", "HEAD");
        if (gone) git("checkout", "-q", "-b", "other");
        git("commit", "-q", "--allow-empty", "-m", "two");
        const left = git("rev-parse", "HEAD");
        if (gone) git("branch", "-qD", "main");
        const session = newSession();
        const way = JSON.stringify({
          gitDirectory: join(repository, ".git"),
          to: { head, branch: "refs/heads/main" },
          refs: gone ? [["refs/tags/gone", head]] : [],
        });
        const bring = (at: string | null) =>
          runProgram("git-bringer.ts", [session, way], at);

        assert.equal(bring(`agentctl.git:${passage}`).signal, "SIGKILL");
        assert.equal(bring(null).status, 0);
        assert.equal(git("rev-parse", "main"), head);
        assert.equal(git("branch", "--show-current"), "main");
        if (gone) assert.equal(git("rev-parse", "other"), left);
        if (gone) assert.equal(git("rev-parse", "gone"), head);
        git("cat-file", "-e", `refs/reprise/${session}/${left}`);
      });
});

/** A worktree that was on its own branch with something staged, and is on another one now, a commit later on both. */
const scene = async (home: string) => {
  const worktree: Worktree = {
    id: "one",
    repository: makeRepository(join(home, "repository")),
    path: join(home, "worktree"),
    branch: "reprise/one",
  };
  await makeWorktree(worktree);
  const { path } = worktree;
  const git = (...args: string[]) => gitIn(path, ...args);
  const commit = (message: string): string => {
    git("commit", "-q", "--allow-empty", "-m", message);
    return git("rev-parse", "HEAD");
  };
  git("branch", "other");
  const head = commit("one");
  writeFileSync(join(path, "staged.txt"), "staged\n");
  git("add", "staged.txt");
  const branch = `refs/heads/${worktree.branch}`;
  const index = git("write-tree");
  const to: GitState = { head, branch, own: { on: true, tip: head }, index };
  git("rm", "-q", "--cached", "staged.txt");
  const tip = commit("two");
  git("checkout", "-q", "-b", "feature");
  const elsewhere = commit("three");
  // A capture keeps what was staged.
  git("update-ref", "refs/kept", git("commit-tree", index, "-m", "staged"));
  return { worktree, path, git, to, left: [tip, elsewhere] };
};

const run = (
  session: string,
  worktree: Worktree,
  to: GitState,
  crashAt: string | null,
) =>
  runProgram(
    "git-mover.ts",
    [session, JSON.stringify(worktree), JSON.stringify(to)],
    crashAt,
  );

const runProgram = (
  name: string,
  args: readonly string[],
  crashAt: string | null,
) => {
  const program = join(import.meta.dirname, "../../fixtures", name);
  const env: NodeJS.ProcessEnv = { ...process.env, ...COMPILED };
  if (crashAt !== null) env["REPRISE_CRASH_AT"] = crashAt;
  return spawnSync(process.execPath, [program, ...args], {
    env,
    stdio: "inherit",
  });
};
