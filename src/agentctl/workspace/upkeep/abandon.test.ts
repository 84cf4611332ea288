import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { SessionId } from "../../../contract/base/id.ts";
import { type Bench, withBench } from "../../fixtures/bench.ts";
import { newSession } from "../../fixtures/ids.ts";
import { gitIn, makeRepository } from "../../fixtures/repository.ts";
import { ask } from "../../fixtures/workspace.ts";

/** What was made for a session that nobody wrote down. */
const scene = async (bench: Bench) => {
  const link = await bench.link();
  const repository = makeRepository(join(bench.home, "repository"));
  return {
    repository,
    worktree: async () => {
      const session_id = newSession();
      const path = join(bench.home, "workspaces", session_id);
      const branch = `reprise/${session_id.slice(-8)}`;
      const worktree = { id: session_id, repository, path, branch };
      await ask(link, "worktree", worktree);
      return { session_id, path, branch };
    },
    plain: async () => {
      const session_id = newSession();
      const path = join(bench.home, "workspaces", session_id);
      await mkdir(path, { recursive: true });
      return { session_id, path };
    },
    abandon: async ({ session_id }: { session_id: SessionId }) =>
      (await ask(link, "abandon", { session_id })).removed,
    branches: () => gitIn(repository, "branch", "--format=%(refname:short)"),
  };
};

test("[CPT-15] what was made for a session that never came to be goes, with its branch", () =>
  withBench(async (bench) => {
    const { worktree, plain, abandon, branches, repository } =
      await scene(bench);
    for (const made of [await worktree(), await plain()]) {
      assert.equal(await abandon(made), true);
      assert.equal(existsSync(made.path), false);
      assert.equal(await abandon(made), false, "it is gone");
    }
    assert.equal(branches(), "main");
    assert.equal(gitIn(repository, "worktree", "list").split("\n").length, 1);
  }));

test("[CPT-15] what git was killed over goes too", () =>
  withBench(async (bench) => {
    const { worktree, abandon, branches, repository } = await scene(bench);
    const made = await worktree();
    gitIn(
      repository,
      "worktree",
      "lock",
      "--reason",
      "initializing",
      made.path,
    );
    gitIn(made.path, "rm", "--quiet", "--cached", "a.txt");
    assert.equal(await abandon(made), true);
    assert.equal(branches(), "main");
  }));

test("[CPT-15] where anything was done, everything stays", () =>
  withBench(async (bench) => {
    const { worktree, plain, abandon, repository } = await scene(bench);
    await writeFile(join(repository, ".git/info/exclude"), "*.log\n");
    const edited = await worktree();
    await writeFile(join(edited.path, "a.txt"), "mine\n");
    const ignoring = await worktree();
    await writeFile(join(ignoring.path, "ignored.log"), "mine\n");
    const committed = await worktree();
    gitIn(committed.path, "commit", "--quiet", "--allow-empty", "-m", "mine");
    const used = await plain();
    await writeFile(join(used.path, "a.txt"), "mine\n");
    for (const made of [edited, ignoring, committed, used]) {
      assert.equal(await abandon(made), false);
      assert.equal(existsSync(made.path), true);
    }
  }));
