/** Commits and what is staged in a session's own worktree: kept, brought back, given to a fork. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rm,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type {
  Capture,
  GitState,
} from "../../../contract/session/checkpoint.ts";
import type { LinkParams } from "../../../contract/link/link.ts";
import type { Worktree } from "../../../contract/link/link-workspace.ts";
import { type Bench, withBench } from "../../fixtures/bench.ts";
import { newSession } from "../../fixtures/ids.ts";
import { gitIn, makeRepository } from "../../fixtures/repository.ts";
import { ask, capture, treeOf } from "../../fixtures/workspace.ts";

const gitOf = ({ git, left_out }: Capture): GitState => {
  assert.ok(git !== undefined, JSON.stringify(left_out));
  return git;
};

/** A session in a worktree that was made for it. */
const scene = async (
  bench: Bench,
  repository = makeRepository(join(bench.home, "repository")),
) => {
  const link = await bench.link();
  const session_id = newSession();
  const worktree: Worktree = {
    id: session_id,
    repository,
    path: join(bench.home, "workspaces", session_id),
    branch: "reprise/one",
  };
  await ask(link, "worktree", worktree);
  const { path } = worktree;
  const order = bench.order("demo", { session_id, cwd: path, worktree });
  const git = (...args: string[]) => gitIn(path, ...args);
  return {
    link,
    order,
    session_id,
    worktree,
    path,
    repository,
    git,
    write: (name: string, text: string) => writeFile(join(path, name), text),
    read: (name: string) => readFile(join(path, name), "utf8"),
    save: () => capture(link, order, { worktree }),
    /** Everything that git and the directory say of the worktree. */
    look: () => ({
      head: git("rev-parse", "HEAD"),
      branch: git("rev-parse", "--symbolic-full-name", "HEAD"),
      status: git("status", "--porcelain"),
      staged: git("diff", "--cached"),
    }),
    rewind: (
      to: Capture,
      from: Capture | null,
      more: Partial<LinkParams<"rewind">> = {},
    ) =>
      ask(link, "rewind", {
        session_id,
        cwd: path,
        tree: treeOf(to),
        dry_run: false,
        own: null,
        others: [],
        worktree,
        git: { to: gitOf(to), from: from === null ? null : gitOf(from) },
        ...(from !== null && { captured: treeOf(from) }),
        ...more,
      }),
    refs: () =>
      gitIn(repository, "for-each-ref", "--format=%(refname)", "refs/reprise")
        .split("\n")
        .filter((line) => line !== ""),
  };
};

type Scene = Awaited<ReturnType<typeof scene>>;

/** One commit; then another, with something staged, changed and new on top of it. */
const twoTurns = async ({ git, write, save, look }: Scene) => {
  await write("b.txt", "one\n");
  git("add", "b.txt");
  git("commit", "-qm", "one");
  await write("b.txt", "one and a half\n");
  const first = await save();
  const afterFirst = look();
  git("commit", "-qam", "two");
  await write("staged.txt", "staged\n");
  git("add", "staged.txt");
  await write("new.txt", "new\n");
  const second = await save();
  return { first, afterFirst, second, afterSecond: look() };
};

test("[CPT-27] a checkpoint of a worktree names HEAD, its branch and what is staged", () =>
  withBench(async (bench) => {
    const at = await scene(bench);
    const { second, afterSecond } = await twoTurns(at);
    const { head, branch, own, index } = gitOf(second);
    assert.equal(head, afterSecond.head);
    assert.equal(branch, "refs/heads/reprise/one");
    assert.deepEqual(own, { on: true, tip: head });
    assert.match(at.git("ls-tree", index ?? ""), /staged\.txt/);
  }));

test("[CPT-27] in a directory that is not a worktree of ours, nothing is written to the repository", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const cwd = makeRepository(join(bench.home, "workspaces", "mine"));
    const before = gitIn(cwd, "count-objects", "-v");
    const saved = await capture(link, bench.order("demo", { cwd }));
    assert.deepEqual(gitOf(saved), {
      head: gitIn(cwd, "rev-parse", "main"),
      branch: "refs/heads/main",
      own: null,
      index: null,
    });
    assert.equal(gitIn(cwd, "for-each-ref", "refs/reprise"), "");
    assert.equal(gitIn(cwd, "count-objects", "-v"), before);
  }));

test("[CPT-28] a rewind brings branch and index back, git keeps what was left, and the undo brings it back", () =>
  withBench(async (bench) => {
    const at = await scene(bench);
    const { first, afterFirst, second, afterSecond } = await twoTurns(at);
    await at.rewind(first, second);
    assert.deepEqual(at.look(), afterFirst);
    assert.equal(await at.read("b.txt"), "one and a half\n");
    assert.equal(existsSync(join(at.path, "new.txt")), false);

    gitIn(at.repository, "reflog", "expire", "--expire=now", "--all");
    gitIn(at.repository, "gc", "--quiet", "--prune=now");
    const now = await at.save();
    await at.rewind(second, now);
    assert.deepEqual(at.look(), afterSecond);
    assert.equal(gitIn(at.repository, "fsck", "--no-dangling"), "");
  }));

test("[CPT-28] a rewind moves no branch but the session's own", () =>
  withBench(async (bench) => {
    const at = await scene(bench);
    const { first, afterFirst } = await twoTurns(at);
    at.git("checkout", "-q", "-b", "feature");
    at.git("commit", "-qam", "three");
    const feature = at.git("rev-parse", "HEAD");
    const third = await at.save();
    assert.equal(gitOf(third).own?.on, false);
    await at.rewind(first, third);
    assert.deepEqual(at.look(), afterFirst);
    assert.equal(at.git("rev-parse", "feature"), feature);
    const now = await at.save();
    // HEAD goes to where it was; the branch that was there is somebody's.
    await at.rewind(third, now);
    assert.equal(at.git("rev-parse", "HEAD"), feature);
    assert.equal(
      at.git("rev-parse", "reprise/one"),
      gitOf(third).own?.tip,
      "its own branch is where it was then",
    );
  }));

test("[CPT-28] [P8] a commit that came after the capture is not overtaken, nor is git at work", () =>
  withBench(async (bench) => {
    const at = await scene(bench);
    const { first, second } = await twoTurns(at);
    const lock = at.git("rev-parse", "--git-path", "index.lock");
    await writeFile(lock, "");
    await assert.rejects(at.rewind(first, second), {
      code: "workspace_changing",
      message: /remove .*index\.lock/,
    });
    await rm(lock);
    at.git("commit", "-qm", "three");
    const head = at.git("rev-parse", "HEAD");
    await assert.rejects(at.rewind(first, second), {
      code: "workspace_changing",
      message: /was committed/,
    });
    assert.equal(at.git("rev-parse", "HEAD"), head);
    assert.equal(await at.read("new.txt"), "new\n", "nothing was touched");
  }));

test("[CPT-28] a worktree that is missing is made again at the commit that a rewind goes to", () =>
  withBench(async (bench) => {
    const at = await scene(bench);
    const { first, afterFirst, second, afterSecond } = await twoTurns(at);
    await rm(at.path, { recursive: true });
    await at.rewind(first, null);
    assert.deepEqual(at.look(), afterFirst);
    await rm(at.path, { recursive: true });
    await at.rewind(second, null);
    assert.deepEqual(at.look(), afterSecond);
  }));

test("[CPT-28] where git has lost the commit, the files go back and git stays", () =>
  withBench(async (bench) => {
    const at = await scene(bench);
    const { first, second, afterSecond } = await twoTurns(at);
    const git = { ...gitOf(first), head: "1".repeat(40) };
    const lost = { ...first, git };
    const done = await at.rewind(lost, second);
    assert.equal(done.commit_missing, true);
    assert.equal(at.git("rev-parse", "HEAD"), afterSecond.head);
    assert.equal(await at.read("b.txt"), "one and a half\n");
  }));

test("[CPT-29] [CPT-10] a fork begins at the commit of then, on a branch of its own, with what was staged", () =>
  withBench(async (bench) => {
    const at = await scene(bench);
    const { first, afterFirst, second, afterSecond } = await twoTurns(at);
    for (const [saved, was, name] of [
      [first, afterFirst, "two"],
      [second, afterSecond, "three"],
    ] as const) {
      const session_id = newSession();
      const path = join(bench.home, "workspaces", session_id);
      const branch = `reprise/${name}`;
      const worktree = { ...at.worktree, id: session_id, path, branch };
      const git = gitOf(saved);
      const rebuild = { tree: treeOf(saved), restore: true, memory: null, git };
      const fork = bench.order("demo", {
        session_id,
        cwd: path,
        worktree,
        rebuild,
      });
      await at.link.call("start", fork);
      await at.link.wait(fork, "ready");
      await at.link.stop(fork);
      assert.equal(gitIn(path, "rev-parse", "HEAD"), was.head);
      assert.equal(gitIn(path, "branch", "--show-current"), branch);
      assert.equal(gitIn(path, "status", "--porcelain"), was.status);
      assert.equal(gitIn(path, "diff", "--cached"), was.staged);
    }
    assert.deepEqual(at.look(), afterSecond, "the parent is not touched");
  }));

test("[CPT-29] [P12] what is kept for a fork outlives the session it came from, before the fork has ever started", () =>
  withBench(async (bench) => {
    const at = await scene(bench);
    const { second, afterSecond } = await twoTurns(at);
    at.git("commit", "-qm", "three");
    const unkept = at.git("rev-parse", "HEAD");
    at.git("reset", "-q", "--hard", "HEAD~3");
    const { repository, link } = at;
    const git = gitOf(second);
    const session_id = newSession();
    await ask(link, "keep_commits", { session_id, repository, git });
    const { session_id: parent, worktree: old } = at;
    await ask(link, "discard", { session_id: parent, worktree: old });
    gitIn(repository, "reflog", "expire", "--expire=now", "--all");
    gitIn(repository, "gc", "-q", "--prune=now");
    assert.throws(() => gitIn(repository, "cat-file", "-e", unkept));

    const path = join(bench.home, "workspaces", session_id);
    const worktree = { ...old, id: session_id, path, branch: "reprise/two" };
    const rebuild = { tree: treeOf(second), restore: true, memory: null, git };
    const cwd = path;
    const fork = bench.order("demo", { session_id, cwd, worktree, rebuild });
    await link.call("start", fork);
    await link.wait(fork, "ready");
    await link.stop(fork);
    assert.equal(gitIn(path, "rev-parse", "HEAD"), afterSecond.head);
    assert.equal(gitIn(path, "diff", "--cached"), afterSecond.staged);
    await ask(link, "discard", { session_id, worktree });
    assert.deepEqual(at.refs(), []);
  }));

test("[CPT-29] what the repository has lost cannot be kept for a fork, and is no obstacle to it", () =>
  withBench(async (bench) => {
    const at = await scene(bench);
    const { repository, link } = at;
    const git = { ...gitOf(await at.save()), head: "1".repeat(40) };
    const session_id = newSession();
    await ask(link, "keep_commits", { session_id, repository, git });
    const gone = join(bench.home, "gone");
    await ask(link, "keep_commits", { session_id, repository: gone, git });
  }));

test("[CPT-27] what keeps commits goes with the session", () =>
  withBench(async (bench) => {
    const at = await scene(bench);
    await twoTurns(at);
    assert.ok(at.refs().length > 0);
    for (const ref of at.refs())
      assert.ok(ref.startsWith(`refs/reprise/${at.session_id}/`), ref);
    // A plain push takes branches and tags along, nothing of ours.
    const remote = join(bench.home, "remote");
    gitIn(bench.home, "init", "-q", "--bare", remote);
    gitIn(at.repository, "push", "-q", "--all", remote);
    gitIn(at.repository, "push", "-q", "--tags", remote);
    assert.equal(gitIn(remote, "for-each-ref", "refs/reprise"), "");
    const { session_id, worktree } = at;
    await ask(at.link, "discard", { session_id, worktree });
    assert.deepEqual(at.refs(), []);
  }));

test("[CPT-30] no program of the repository runs when we run git", () =>
  withBench(async (bench) => {
    const repository = makeRepository(join(bench.home, "repository"));
    const ran = join(bench.home, "ran");
    await mkdir(ran);
    const program = async (path: string, name: string) => {
      await writeFile(path, `#!/bin/sh\n: > '${ran}/${name}'\n`);
      await chmod(path, 0o755);
    };
    const hooks = join(repository, ".git/hooks");
    for (const hook of [
      "post-checkout",
      "reference-transaction",
      "post-index-change",
    ])
      await program(join(hooks, hook), hook);
    const monitor = join(bench.home, "monitor");
    await program(monitor, "fsmonitor");
    gitIn(repository, "config", "core.fsmonitor", monitor);
    await rm(ran, { recursive: true });
    await mkdir(ran);
    const at = await scene(bench, repository);
    const quietly = [
      "-c",
      "core.hooksPath=/dev/null",
      "-c",
      "core.fsmonitor=false",
    ];
    const first = await at.save();
    await at.write("b.txt", "one\n");
    at.git(...quietly, "add", "b.txt");
    at.git(...quietly, "commit", "-qm", "one");
    const second = await at.save();
    await at.rewind(first, second);
    await ask(at.link, "discard", at);
    assert.deepEqual(await readdir(ran), []);
  }));
