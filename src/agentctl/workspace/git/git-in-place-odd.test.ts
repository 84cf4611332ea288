/** Rewinds in repositories that are damaged, unusual or made to lead us elsewhere. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { withBench } from "../../fixtures/bench.ts";
import { inDirectory, inRepository } from "../../fixtures/in-repository.ts";
import { gitIn, makeRepository } from "../../fixtures/repository.ts";

const NO_COMMIT = "1".repeat(40);

test("[CPT-33] [P8] a link in the place of a git directory leads us to nobody's repository", () =>
  withBench(async (bench) => {
    const at = await inRepository(bench);
    const theirs = join(bench.home, "theirs");
    at.git("clone", "-q", at.cwd, theirs);
    const first = await at.save();
    const before = at.look();
    gitIn(theirs, "commit", "-q", "--allow-empty", "-m", "theirs");
    const head = gitIn(theirs, "rev-parse", "main");
    renameSync(join(at.cwd, ".git"), join(bench.home, "moved"));
    symlinkSync(join(theirs, ".git"), join(at.cwd, ".git"));
    await at.rewind(first, { captured: await at.save() });
    assert.deepEqual(at.look(), before);
    assert.equal(gitIn(theirs, "rev-parse", "main"), head);
  }));

test("[CPT-33] [P8] nothing is written where a link leads out of the repository, or its refs are another's", () =>
  withBench(async (bench) => {
    const at = await inRepository(bench);
    const inGit = (name: string) => join(at.cwd, ".git", name);
    const first = await at.save();
    const head = await at.commit("two.txt");
    const theirs = join(bench.home, "theirs");
    await writeFile(theirs, "theirs\n");
    await rm(inGit("logs/HEAD"));
    symlinkSync(theirs, inGit("logs/HEAD"));
    const done = await at.rewind(first, { captured: await at.save() });
    assert.equal(done.commit_missing, true);
    assert.equal(await readFile(theirs, "utf8"), "theirs\n");
    assert.equal(at.git("rev-parse", "main"), head);
    await rm(inGit("logs/HEAD"));

    const clone = join(bench.home, "clone");
    at.git("clone", "-q", at.cwd, clone);
    await writeFile(inGit("commondir"), `${join(clone, ".git")}\n`);
    const linked = await at.save();
    await writeFile(inGit("refs/heads/main"), `${NO_COMMIT}\n`);
    await at.rewind(linked, { captured: await at.save() });
    assert.equal(gitIn(clone, "rev-parse", "main"), head);
    assert.equal(gitIn(clone, "for-each-ref", "refs/reprise"), "");
  }));

test("[CPT-30] [CPT-33] a partial clone that lacks the commit of then fetches nothing", () =>
  withBench(async (bench) => {
    const at = await inRepository(bench);
    const program = join(bench.home, "program");
    const mark = join(bench.home, "mark");
    await writeFile(program, `#!/bin/sh\ntouch '${mark}'\n`);
    await chmod(program, 0o755);
    at.git("config", "core.repositoryFormatVersion", "1");
    at.git("config", "extensions.partialClone", "origin");
    at.git("config", "remote.origin.promisor", "true");
    at.git("config", "remote.origin.url", at.cwd);
    at.git("config", "remote.origin.uploadPack", program);
    const head = at.git("rev-parse", "HEAD");
    await at.write(".git/refs/heads/main", `${NO_COMMIT}\n`);
    const lacking = await at.save();
    await at.write(".git/refs/heads/main", `${head}\n`);
    const captured = await at.save();
    const done = await at.rewind(lacking, { captured });
    assert.equal(done.commit_missing, true);
    assert.equal(existsSync(mark), false);
  }));

test("[CPT-33] a repository that was damaged since goes back, and nothing is taken from it", () =>
  withBench(async (bench) => {
    const at = await inRepository(bench);
    const first = await at.save();
    const before = at.look();
    const inGit = (name: string) => join(at.cwd, ".git", name);
    const remove = (name: string) => () =>
      rmSync(inGit(name), { recursive: true });
    const put = (name: string, text: string) => () =>
      at.write(join(".git", name), text);
    const damages = {
      settings: put("config", "[[[\n"),
      extension: put("config", "[extensions]\nunknown = 1\n"),
      "no HEAD": remove("HEAD"),
      "an empty HEAD": put("HEAD", ""),
      "no such commit": put("refs/heads/main", `${NO_COMMIT}\n`),
      "somebody's worktree": put("commondir", "/nowhere\n"),
      "no refs": remove("refs"),
      "no objects": remove("objects"),
    };
    for (const [name, damage] of Object.entries(damages)) {
      const mine = await at.commit("mine.txt");
      at.git("update-ref", "refs/heads/mine", mine);
      await damage();
      await at.rewind(first, { captured: await at.save() });
      assert.deepEqual(at.look(), before, name);
      if (name === "no objects") continue;
      at.git("cat-file", "-e", mine);
      if (name !== "no refs") assert.equal(at.git("rev-parse", "mine"), mine);
    }
  }));

test("[CPT-33] an object that was damaged since comes back", () =>
  withBench(async (bench) => {
    const at = await inRepository(bench);
    const first = await at.save();
    const blob = at.git("rev-parse", "HEAD:a.txt");
    const path = `.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`;
    await chmod(join(at.cwd, path), 0o644);
    await at.write(path, "damaged\n");
    await at.rewind(first, { captured: await at.save() });
    assert.equal(at.git("fsck"), "");
    assert.equal(await at.save(), first);
  }));

test("[CPT-33] a branch of which the checkpoint does not tell the commit stays where it is", () =>
  withBench(async (bench) => {
    const at = await inRepository(bench);
    const head = at.git("rev-parse", "HEAD");
    const stays = async (first: string) => {
      const branch = await readFile(join(at.cwd, ".git/HEAD"));
      const made = await at.commit("two.txt");
      const done = await at.rewind(first, { captured: await at.save() });
      assert.equal(done.commit_missing, true);
      assert.equal(existsSync(join(at.cwd, "two.txt")), false);
      assert.equal(at.git("rev-parse", "HEAD"), made);
      assert.deepEqual(await readFile(join(at.cwd, ".git/HEAD")), branch);
      at.git("reset", "-q", "--hard", head);
    };
    // Not text.
    const name = "git checkout -q -b \"$(printf 'br\\351')\"";
    execFileSync("sh", ["-c", name], { cwd: at.cwd });
    await stays(await at.save());

    at.git("checkout", "-q", "main");
    for (const invalid of ["../../x", "a..b", "a.lock"]) {
      await at.write(".git/HEAD", `ref: refs/heads/${invalid}\n`);
      const first = await at.save();
      await at.write(".git/HEAD", "ref: refs/heads/main\n");
      await stays(first);
    }

    const tag = `${head} refs/tags/${"x".repeat(200)}`;
    const tags = Array.from({ length: 75_000 }, (_, at) => `${tag}${at}\n`);
    await rm(join(at.cwd, ".git/refs/heads/main"));
    await rm(join(at.cwd, ".git/logs/refs/heads/main"));
    const packed = [`${head} refs/heads/main\n`, ...tags].join("");
    await at.write(".git/packed-refs", `# pack-refs with: \n${packed}`);
    await stays(await at.save());
  }));

test("[CPT-33] a directory that only looks like a git directory goes back like any other", () =>
  withBench(async (bench) => {
    const at = await inDirectory(bench);
    for (const name of ["objects", "refs", "logs"])
      await mkdir(join(at.cwd, "statue", name), { recursive: true });
    await at.write("statue/HEAD", "of marble\n");
    await at.write("statue/objects/arm", "lost\n");
    const first = await at.save();
    await at.write("statue/HEAD", "of bronze\n");
    await at.write("statue/objects/arm", "found\n");
    await at.write("statue/refs/book", "page 3\n");
    await at.rewind(first, { captured: await at.save() });
    assert.equal(await at.save(), first);
  }));

test("[CPT-33] a lock of git is in the way of a rewind, and an old one does not come back", () =>
  withBench(async (bench) => {
    const at = await inRepository(bench);
    for (const name of ["HEAD.lock", "index.lock", "packed-refs.lock"]) {
      const lock = join(at.cwd, ".git", name);
      const before = at.look();
      await writeFile(lock, "");
      const first = await at.save();
      await rm(lock);
      at.git("checkout", "-q", "-b", `since-${name.slice(0, -5)}`);
      await at.commit("two.txt");
      await writeFile(lock, "");
      await assert.rejects(at.rewind(first, { captured: await at.save() }), {
        code: "workspace_changing",
        message: new RegExp(`remove .*${name}`),
      });
      assert.equal(existsSync(lock), true);
      await rm(lock);
      await at.rewind(first, { captured: await at.save() });
      assert.deepEqual(at.look(), before);
    }
  }));

test("[CPT-33] a rewind that has detached HEAD is finished by the same order", () =>
  withBench(async (bench) => {
    const at = await inRepository(bench);
    const first = await at.save();
    const head = at.git("rev-parse", "HEAD");
    await at.commit("two.txt");
    at.git("checkout", "-q", "-b", "feature");
    const captured = await at.save();
    await at.rewind(first, { captured });
    await at.rewind(first, { captured });
    assert.equal(at.git("rev-parse", "HEAD"), head);
  }));

test("[CPT-33] [P8] what was pushed to an empty repository in the workspace is not taken away", () =>
  withBench(async (bench) => {
    const at = await inDirectory(bench);
    const bare = join(at.cwd, "project.git");
    gitIn(at.cwd, "init", "-q", "--bare", "--initial-branch=main", bare);
    const first = await at.save();
    const work = makeRepository(join(bench.home, "work"));
    gitIn(work, "push", "-q", bare, "main");
    await at.rewind(first, { captured: await at.save() });
    const head = gitIn(work, "rev-parse", "main");
    assert.equal(gitIn(bare, "rev-parse", "main"), head);
  }));

test("[CPT-33] of many refs that are gone, one whose place is taken is no obstacle to the others", () =>
  withBench(async (bench) => {
    const at = await inRepository(bench);
    const head = at.git("rev-parse", "HEAD");
    const names = Array.from({ length: 300 }, (_, at) => `refs/tags/${at}`);
    const lines = names.map((name) => `${head} ${name}\n`).join("");
    await at.write(".git/packed-refs", lines);
    const first = await at.save();
    await rm(join(at.cwd, ".git/packed-refs"));
    at.git("update-ref", "refs/tags/7/taken", head);
    await at.rewind(first, { captured: await at.save() });
    assert.equal(at.git("tag").split("\n").length, 300);
  }));

test("[CPT-33] [P8] nothing is taken from a repository in a directory whose name is not text", () =>
  withBench(async (bench) => {
    const at = await inDirectory(bench);
    const there = (script: string) =>
      execFileSync("sh", ["-ec", `cd "$(printf 'd\\351')"; ${script}`], {
        cwd: at.cwd,
        encoding: "utf8",
      });
    const commit =
      "git -c user.name=t -c user.email=t@t commit -q --allow-empty";
    execFileSync("sh", ["-c", "mkdir \"$(printf 'd\\351')\""], { cwd: at.cwd });
    there(`git init -q; ${commit} -m one`);
    const first = await at.save();
    there(`${commit} -m two; git tag mine; echo two > two.txt`);
    const done = await at.rewind(first, { captured: await at.save() });
    assert.equal(done.commit_missing, true);
    assert.equal(there("git log --format=%s mine; ls"), "two\none\n");
  }));

test("[CPT-33] [CPT-8] in a shared directory an index alone that changed is not in the way", () =>
  withBench(async (bench) => {
    const at = await inRepository(bench);
    const from = await at.save();
    await at.write("mine.txt", "mine\n");
    at.git("update-index", "--chmod=+x", "a.txt");
    const to = await at.save();
    at.git("commit", "-q", "-m", "theirs");
    const told = await at.rewind(from, { own: [{ from, to }] });
    assert.deepEqual(told.conflicts, []);
    assert.deepEqual(told.changes, [{ path: "mine.txt", kind: "removed" }]);
  }));
