/** A rewind of a session that works in somebody's repository: what git keeps there is not the session's alone. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { withBench } from "../../fixtures/bench.ts";
import { inDirectory, inRepository } from "../../fixtures/in-repository.ts";
import { gitIn, makeRepository } from "../../fixtures/repository.ts";

test("[CPT-33] [P8] worktrees, branches, stashes, commits and reflogs of others outlive a rewind and its undo", () =>
  withBench(async (bench) => {
    const at = await inRepository(bench);
    const { git } = at;
    await at.write("a.txt", "changed\n");
    git("add", "a.txt");
    const first = await at.save();
    const afterFirst = at.look();

    const mine = await at.commit("mine.txt");
    const other = join(bench.home, "other");
    git("worktree", "add", "-q", "-b", "theirs", other);
    const elsewhere = join(other, "b.txt");
    await writeFile(elsewhere, "theirs\n");
    gitIn(other, "add", ".");
    gitIn(other, "commit", "-qm", "theirs");
    await writeFile(elsewhere, "not committed\n");
    await at.write("a.txt", "put aside\n");
    git("stash", "-q");
    git("tag", "v1");
    git("config", "remote.origin.url", "/nowhere");
    const captured = await at.save();
    const afterSecond = at.look();
    const kept = () => ({
      theirs: gitIn(other, "rev-parse", "HEAD"),
      status: gitIn(other, "status", "--porcelain"),
      stash: git("stash", "list"),
      tag: git("rev-parse", "v1"),
      reflog: git("reflog", "show", "theirs"),
    });
    const before = kept();

    await at.rewind(first, { captured });
    assert.deepEqual(at.look(), afterFirst);
    assert.equal(existsSync(join(at.cwd, "mine.txt")), false);
    assert.throws(() => git("config", "remote.origin.url"), "a setting");
    assert.deepEqual(kept(), before);
    assert.match(git("reflog"), /reprise: rewind/);
    git("reflog", "expire", "--expire=now", "--all");
    git("gc", "--quiet", "--prune=now");
    git("cat-file", "-e", mine);

    await at.rewind(captured, { captured: await at.save() });
    assert.deepEqual(at.look(), afterSecond);
    assert.equal(gitIn(other, "rev-parse", "HEAD"), before.theirs);
    assert.equal(git("fsck", "--no-dangling"), "");
    await at.discard();
    assert.equal(git("for-each-ref", "refs/reprise"), "");
  }));

test("[CPT-33] what an agent deleted in the repository comes back: branches, tags, objects", () =>
  withBench(async (bench) => {
    const at = await inRepository(bench);
    const { git } = at;
    git("checkout", "-qb", "feature");
    const feature = await at.commit("feature.txt");
    git("checkout", "-q", "main");
    git("tag", "v1", "feature");
    git("pack-refs", "--all");
    git("branch", "also");
    await at.commit("two.txt");
    const first = await at.save();
    const refs = () => git("for-each-ref");
    const before = refs();

    git("checkout", "-q", "--detach", "HEAD~1");
    git("branch", "-qD", "main", "feature", "also");
    git("tag", "-d", "v1");
    git("reflog", "expire", "--expire=now", "--all");
    git("gc", "--quiet", "--prune=now");
    assert.throws(() => git("cat-file", "-e", feature));
    await at.rewind(first, { captured: await at.save() });
    assert.equal(git("branch", "--show-current"), "main");
    assert.equal(
      refs()
        .replaceAll(/^.*refs\/reprise\/.*\n?/gm, "")
        .trim(),
      before,
    );
    assert.equal(git("status", "--porcelain"), "");
    assert.equal(git("fsck", "--no-dangling"), "");
  }));

test("[CPT-33] a branch that HEAD is not on, or that another worktree has, stays where it is", () =>
  withBench(async (bench) => {
    const at = await inRepository(bench);
    const { git } = at;
    const first = await at.save();
    const then = git("rev-parse", "HEAD");
    const moved = await at.commit("two.txt");
    git("checkout", "-q", "-b", "feature");
    await at.rewind(first, { captured: await at.save() });
    assert.equal(git("rev-parse", "HEAD"), then);
    assert.equal(git("branch", "--show-current"), "", "it is detached");
    assert.equal(git("rev-parse", "main"), moved);
    assert.equal(git("rev-parse", "feature"), moved);

    git("checkout", "-q", "main");
    const other = join(bench.home, "other");
    git("worktree", "add", "-q", "-f", other, "main");
    await at.rewind(first, { captured: await at.save() });
    assert.equal(git("rev-parse", "HEAD"), then);
    assert.equal(gitIn(other, "rev-parse", "HEAD"), moved);
    assert.equal(gitIn(other, "branch", "--show-current"), "main");
  }));

test("[CPT-33] before the first commit and back", () =>
  withBench(async (bench) => {
    const at = await inDirectory(bench);
    const { git } = at;
    git("init", "-q", "--initial-branch=main");
    await at.write("a.txt", "a\n");
    const first = await at.save();
    const made = await at.commit("a.txt");
    const captured = await at.save();
    await at.rewind(first, { captured });
    assert.equal(git("status", "--porcelain"), "?? a.txt");
    assert.throws(() => git("rev-parse", "--verify", "HEAD"));
    await at.rewind(captured, { captured: await at.save() });
    assert.equal(git("rev-parse", "main"), made);
    assert.equal(git("status", "--porcelain"), "");
  }));

test("[CPT-33] a repository that came since goes with the rest, unless others have worktrees of it", () =>
  withBench(async (bench) => {
    const at = await inDirectory(bench);
    const first = await at.save();
    makeRepository(join(at.cwd, "sub"));
    const captured = await at.save();
    await at.rewind(first, { captured });
    assert.equal(existsSync(join(at.cwd, "sub")), false);
    await at.rewind(captured, { captured: await at.save() });
    assert.equal(gitIn(join(at.cwd, "sub"), "status", "--porcelain"), "");

    const other = join(bench.home, "other");
    gitIn(join(at.cwd, "sub"), "worktree", "add", "-q", other);
    const left_alone = [{ path: "sub/.git", reason: "other_worktrees" }];
    const done = await at.rewind(first, { captured: await at.save() });
    assert.deepEqual(done.left_alone, left_alone);
    assert.equal(existsSync(join(at.cwd, "sub/a.txt")), false);
    assert.equal(gitIn(other, "status", "--porcelain"), "");
  }));

test("[CPT-33] a repository of another name and deeper in the workspace is treated alike, and commits between turns are told", () =>
  withBench(async (bench) => {
    const at = await inDirectory(bench);
    const bare = join(at.cwd, "deep/project.git");
    const work = join(at.cwd, "work");
    await mkdir(join(at.cwd, "deep"));
    gitIn(at.cwd, "init", "-q", "--bare", "--initial-branch=main", bare);
    makeRepository(work);
    gitIn(work, "push", "-q", bare, "main");
    const first = await at.save();
    const then = gitIn(work, "rev-parse", "HEAD");
    gitIn(work, "commit", "-q", "--allow-empty", "-m", "two");
    gitIn(work, "push", "-q", bare, "main", "main:other");
    const now = gitIn(work, "rev-parse", "HEAD");
    const captured = await at.save();
    const plan = await at.rewind(first, { dry_run: true, turns: [] });
    assert.deepEqual(plan.edits, [
      { path: "deep/project.git", kind: "modified" },
      { path: "work/.git", kind: "modified" },
    ]);
    const keep = { captured, turns: [], keep_edits: true };
    await at.rewind(first, keep);
    assert.equal(gitIn(work, "rev-parse", "HEAD"), now);

    await at.rewind(first, { captured });
    for (const daemon of [bare, work]) {
      assert.equal(gitIn(daemon, "rev-parse", "main"), then);
      gitIn(daemon, "cat-file", "-e", now);
    }
    assert.equal(gitIn(bare, "rev-parse", "other"), now);
  }));

test("[CPT-33] [P8] a commit that came after the capture is not overtaken", () =>
  withBench(async (bench) => {
    const at = await inRepository(bench);
    const first = await at.save();
    await at.commit("two.txt");
    const captured = await at.save();
    at.git("commit", "-q", "--allow-empty", "-m", "three");
    const head = at.git("rev-parse", "HEAD");
    await assert.rejects(at.rewind(first, { captured }), {
      code: "workspace_changing",
    });
    const lock = join(at.cwd, ".git/refs/heads/main.lock");
    await writeFile(lock, "");
    const now = await at.save();
    await assert.rejects(at.rewind(first, { captured: now }), {
      code: "workspace_changing",
      message: /remove .*main\.lock/,
    });
    await rm(lock);
    assert.equal(at.git("rev-parse", "HEAD"), head);
    assert.equal(await at.read("two.txt"), "two.txt\n", "nothing was touched");
  }));

test("[CPT-33] [CPT-8] in a shared directory git stays as it is, and is not in the way", () =>
  withBench(async (bench) => {
    const at = await inRepository(bench);
    const from = await at.save();
    const made = await at.commit("mine.txt");
    const to = await at.save();
    at.git("commit", "-q", "--allow-empty", "-m", "theirs");
    const head = at.git("rev-parse", "HEAD");
    const told = await at.rewind(from, { own: [{ from, to }] });
    assert.deepEqual(told.conflicts, []);
    assert.deepEqual(told.changes, [{ path: "mine.txt", kind: "removed" }]);
    assert.equal(at.git("rev-parse", "HEAD"), head);
    at.git("cat-file", "-e", made);
  }));
