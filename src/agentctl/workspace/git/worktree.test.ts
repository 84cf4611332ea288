import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { Worktree } from "../../../contract/link/link-workspace.ts";
import { type Bench, withBench } from "../../fixtures/bench.ts";
import { newSession } from "../../fixtures/ids.ts";
import { gitIn, makeRepository } from "../../fixtures/repository.ts";
import { again, ask, capture, treeOf } from "../../fixtures/workspace.ts";

const worktreeIn = (bench: Bench, name = "one"): Worktree => ({
  id: `wt_${name}`,
  repository: makeRepository(join(bench.home, "repository")),
  path: join(bench.home, "workspaces", name),
  branch: `reprise/${name}`,
});

test("[CPT-15] a worktree has a branch of its own, and asking for it twice is asking once", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const worktree = worktreeIn(bench);
    await ask(link, "worktree", worktree);
    await writeFile(join(worktree.path, "a.txt"), "mine\n");
    await ask(link, "worktree", worktree);
    assert.equal(
      await readFile(join(worktree.path, "a.txt"), "utf8"),
      "mine\n",
    );
    assert.equal(
      gitIn(worktree.path, "branch", "--show-current"),
      worktree.branch,
    );
  }));

test("[CPT-15] what is no repository, a path in use and a branch in use are refused", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const worktree = worktreeIn(bench);
    const plain = { ...worktree, repository: "/proc" };
    await assert.rejects(ask(link, "worktree", plain), {
      code: "not_a_repository",
    });
    gitIn(worktree.repository, "branch", worktree.branch);
    await assert.rejects(ask(link, "worktree", worktree), {
      code: "worktree_conflict",
      message: /has a branch reprise\/one already/,
    });
    await mkdir(worktree.path, { recursive: true });
    const other = { ...worktree, branch: "reprise/two" };
    await assert.rejects(ask(link, "worktree", other), {
      code: "worktree_conflict",
      message: /exists already/,
    });
  }));

test("[CPT-15] [CPT-4] a missing worktree is made again from repository and checkpoint", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const worktree = worktreeIn(bench);
    const { path, repository, branch } = worktree;
    await ask(link, "worktree", worktree);
    const order = bench.order("demo", { cwd: path, worktree });
    await link.call("start", order);
    await link.wait(order, "ready");
    await link.turn(order, "write b.txt new");
    await link.turn(
      order,
      "run git add b.txt && git -c user.name=t -c user.email=t@t commit -qm second",
    );
    await link.turn(order, "write a.txt not committed");
    const tree = treeOf(await capture(link, order));
    await link.stop(order);
    const status = gitIn(path, "status", "--porcelain");
    await rm(path, { recursive: true });
    // Somebody else's worktree that is away for a while stays registered.
    const away = join(bench.home, "away");
    gitIn(repository, "worktree", "add", "-q", "-b", "away", away);
    await rm(away, { recursive: true });

    const rebuild = { tree, restore: true, memory: null };
    const cold = again(order, { rebuild });
    await link.call("start", cold);
    assert.equal((await link.wait(cold, "ready")).workspace, "restored");
    await link.stop(cold);
    assert.equal(gitIn(path, "branch", "--show-current"), branch);
    assert.equal(gitIn(path, "status", "--porcelain"), status);
    assert.equal(gitIn(path, "log", "-1", "--format=%s"), "second");
    assert.deepEqual(await readdir(dirname(path)), ["one"]);
    const listed = gitIn(repository, "worktree", "list", "--porcelain");
    assert.match(listed, new RegExp(`worktree ${away}`));
    assert.equal(listed.split("\n\n").length, 3);

    // A rewind to a checkpoint from before leaves git's own link alone.
    const { session_id } = order;
    const back = { session_id, cwd: path, tree, dry_run: false };
    await ask(link, "rewind", { ...back, own: null, others: [] });
    assert.equal(gitIn(path, "status", "--porcelain"), status);

    // And where it is missing, a rewind makes it again as git knows it.
    await rm(path, { recursive: true });
    gitIn(repository, "worktree", "prune");
    await ask(link, "rewind", { ...back, own: null, others: [], worktree });
    assert.equal(gitIn(path, "branch", "--show-current"), branch);
    assert.equal(gitIn(path, "status", "--porcelain"), status);

    await ask(link, "discard", { session_id, worktree });
    assert.equal(existsSync(path), false);
    assert.match(gitIn(repository, "branch", "--list", branch), /reprise/);
  }));

test("[CPT-10] [CPT-15] a fork of a worktree begins on a branch of its own", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const parent = worktreeIn(bench);
    await ask(link, "worktree", parent);
    const order = bench.order("demo", { cwd: parent.path });
    await writeFile(join(parent.path, "b.txt"), "from the parent");
    const tree = treeOf(await capture(link, order));
    const worktree: Worktree = {
      ...parent,
      id: "wt_two",
      path: join(bench.home, "workspaces", "two"),
      branch: "reprise/two",
    };
    const fork = bench.order("demo", {
      session_id: newSession(),
      cwd: worktree.path,
      worktree,
      rebuild: { tree, restore: true, memory: null },
    });
    await link.call("start", fork);
    await link.wait(fork, "ready");
    await link.stop(fork);
    assert.equal(
      gitIn(worktree.path, "branch", "--show-current"),
      "reprise/two",
    );
    assert.equal(gitIn(parent.path, "branch", "--show-current"), "reprise/one");
    assert.equal(
      await readFile(join(worktree.path, "b.txt"), "utf8"),
      "from the parent",
    );
  }));

test("[CPT-20] [CPT-13] a copy elsewhere of a worktree comes without the way to its repository", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const original = worktreeIn(bench);
    await ask(link, "worktree", original);
    const there = bench.order("demo", { cwd: original.path });
    const tree = treeOf(await capture(link, there));
    const cwd = join(bench.home, "workspaces", "copy");
    const copy = bench.order("demo", {
      cwd,
      rebuild: { tree, restore: true, moved: true, memory: null },
    });
    await link.call("start", copy);
    assert.equal((await link.wait(copy, "notice")).code, "git_left_out");
    await link.wait(copy, "ready");
    await link.stop(copy);
    assert.deepEqual(await readdir(cwd), ["a.txt"]);

    const back = { session_id: copy.session_id, cwd, tree, moved: true };
    const rewind = (dry_run: boolean) =>
      ask(link, "rewind", { ...back, dry_run, own: null, others: [] });
    await writeFile(join(cwd, "a.txt"), "changed");
    const changes = [{ path: "a.txt", kind: "modified" }];
    assert.deepEqual((await rewind(true)).changes, changes);
    assert.deepEqual((await rewind(false)).changes, changes);
    assert.deepEqual(await readdir(cwd), ["a.txt"]);
    // A repository that was begun here since stays.
    gitIn(cwd, "init", "-q");
    assert.deepEqual((await rewind(false)).changes, []);
    assert.equal(gitIn(cwd, "status", "--porcelain"), "?? a.txt");
    await rm(cwd, { recursive: true });
    assert.deepEqual((await rewind(false)).changes, [
      { path: "a.txt", kind: "added" },
    ]);
    assert.deepEqual(await readdir(cwd), ["a.txt"]);
    assert.equal(
      gitIn(original.path, "branch", "--show-current"),
      original.branch,
    );
  }));

test("[CPT-15] of a session that never came to be, the branch goes too, unless something was committed on it", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const worktree = worktreeIn(bench);
    const { repository, path, branch } = worktree;
    const session_id = newSession();
    const branches = () => gitIn(repository, "branch", "--list", branch);
    const discard = { session_id, worktree, unused: true };
    await ask(link, "worktree", worktree);
    await ask(link, "discard", discard);
    assert.equal(existsSync(path), false);
    assert.equal(branches(), "");
    await ask(link, "worktree", worktree);
    const who = ["-c", "user.name=t", "-c", "user.email=t@t"];
    gitIn(path, ...who, "commit", "-q", "--allow-empty", "-m", "mine");
    await ask(link, "discard", discard);
    assert.equal(existsSync(path), false);
    assert.match(branches(), /reprise/);
  }));
