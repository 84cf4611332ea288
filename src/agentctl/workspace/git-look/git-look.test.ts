import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { gitBranches, gitDiff, gitLog, gitStatus } from "./git-look.ts";
import { withoutFilters } from "./without-filters.ts";

const scene = (t: TestContext) => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "git-look-")));
  t.after(() => rmSync(directory, { recursive: true }));
  const cwd = join(directory, "work");
  mkdirSync(cwd);
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", cwd, ...args], {
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"],
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_AUTHOR_NAME: "Ada\u001b[31m",
        GIT_AUTHOR_EMAIL: "ada@example.com",
        GIT_COMMITTER_NAME: "Ada",
        GIT_COMMITTER_EMAIL: "ada@example.com",
      },
    });
  const file = (path: string, text: string): void => {
    mkdirSync(join(cwd, path, ".."), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  return { directory, cwd, git, file };
};

test("[WSP-22] status, diff, log and branches tell what git knows, by paths of the workspace", async (t) => {
  const { cwd, git, file } = scene(t);
  await assert.rejects(gitStatus({ cwd }), { code: "not_a_repository" });
  git("init", "-q", "-b", "main");
  assert.deepEqual(await gitLog({ cwd, limit: 5, skip: 0 }), {
    commits: [],
    next: null,
  });
  file("sub/a b.txt", "one\ntwo\n");
  file("sub/old.txt", "same\n".repeat(20));
  file("top.txt", "top\n");
  git("add", ".");
  git("commit", "-q", "-m", "first\n\nwhy it is\nso");
  git("commit", "-q", "--allow-empty", "-m", "second");
  git("branch", "other");
  git("mv", "sub/old.txt", "sub/new.txt");
  file("sub/a b.txt", "one\nthree\n");
  file("sub/ünew.txt", "new\n");
  file("top.txt", "other\n");

  const status = await gitStatus({ cwd: join(cwd, "sub") });
  assert.equal(status.branch, "main");
  assert.deepEqual(
    status.entries.map(({ path, kind, index, worktree, from }) => ({
      path,
      kind,
      letters: `${index}${worktree}`,
      from,
    })),
    [
      { path: "a b.txt", kind: "changed", letters: ".M", from: undefined },
      { path: "new.txt", kind: "renamed", letters: "R.", from: "old.txt" },
      { path: "ünew.txt", kind: "untracked", letters: "..", from: undefined },
    ],
  );
  const diff = await gitDiff({ cwd, of: "worktree", path: "sub/a b.txt" });
  assert.deepEqual(diff.files, [{ path: "sub/a b.txt", added: 1, removed: 1 }]);
  assert.match(diff.text, /^-two$/m);
  const staged = await gitDiff({ cwd, of: "index" });
  assert.deepEqual(staged.files, [
    { path: "sub/new.txt", from: "sub/old.txt", added: 0, removed: 0 },
  ]);
  const since = await gitDiff({ cwd, of: { since: "HEAD" } });
  assert.equal(since.files.length, 3);
  for (const revision of ["--all", "-p", "none", "HEAD\0"])
    await assert.rejects(gitDiff({ cwd, of: { since: revision } }), {
      code: "unknown_revision",
    });

  const first = await gitLog({ cwd, limit: 1, skip: 0 });
  assert.equal(first.commits[0]?.subject, "second");
  assert.equal(first.next, 1);
  const { commits, next } = await gitLog({ cwd, limit: 1, skip: 1 });
  assert.equal(next, null);
  assert.equal(commits[0]?.body, "why it is\nso");
  assert.equal(commits[0]?.author.name, "Ada\u001b[31m");
  const { branches } = await gitBranches({ cwd });
  assert.deepEqual(
    branches
      .map(({ name, current }) => [name, current])
      .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
    [
      ["main", true],
      ["other", false],
    ],
  );
  await assert.rejects(gitStatus({ cwd: join(cwd, "none") }), {
    code: "workspace_missing",
  });
});

test("[WSP-23] looking at a hostile repository runs none of its programs and writes nothing", async (t) => {
  const { directory, cwd, git, file } = scene(t);
  const mark = join(directory, "ran");
  const program = join(directory, "program");
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${mark}'\ncat\n`);
  chmodSync(program, 0o755);
  git("init", "-q", "-b", "main");
  file("a.txt", "one\n");
  file("b=c.txt", "one\n");
  git("add", ".");
  git("commit", "-q", "-m", "first");
  // A submodule with programs of its own.
  git("init", "-q", "sub");
  git("-C", "sub", "commit", "-q", "--allow-empty", "-m", "inner");
  execFileSync("git", [
    "-C",
    join(cwd, "sub"),
    "config",
    "core.fsmonitor",
    program,
  ]);
  git("-c", "advice.addEmbeddedRepo=false", "add", "sub");
  git("commit", "-q", "-m", "with a submodule");
  file(".gitattributes", "*.txt filter=evil diff=evil\nb* filter=a=b\n");
  const settings = {
    "core.fsmonitor": program,
    "core.hooksPath": join(directory, "hooks"),
    "core.pager": program,
    "core.sshCommand": program,
    "core.askPass": program,
    "core.alternateRefsCommand": program,
    "core.editor": program,
    "credential.helper": program,
    "diff.external": program,
    "diff.evil.command": program,
    "diff.evil.textconv": program,
    "diff.submodule": "log",
    "filter.evil.clean": program,
    "filter.evil.smudge": program,
    "filter.evil.process": program,
    "filter.evil.required": "true",
    "filter.a=b.clean": program,
    "gpg.program": program,
    "log.showSignature": "true",
    "pager.log": program,
    "pager.status": program,
    "pager.diff": program,
    "status.submoduleSummary": "true",
    "submodule.recurse": "true",
    "trailer.x.command": program,
    "extensions.partialClone": "origin",
    "remote.origin.promisor": "true",
    "remote.origin.url": `ext::${program}`,
    "protocol.ext.allow": "always",
    "uploadpack.packObjectsHook": program,
    "core.worktree": "/etc",
  };
  for (const [name, value] of Object.entries(settings))
    git("config", name, value);
  mkdirSync(join(directory, "hooks"));
  for (const hook of [
    "post-index-change",
    "fsmonitor-watchman",
    "post-checkout",
  ]) {
    writeFileSync(join(directory, "hooks", hook), readFileSync(program));
    chmodSync(join(directory, "hooks", hook), 0o755);
  }
  // As long as before, and younger than the index: git has to read them.
  file("a.txt", "two\n");
  file("b=c.txt", "two\n");
  file("sub/x", "untracked");
  const index = readFileSync(join(cwd, ".git/index"));
  // An object that a partial clone would fetch.
  const blob = git("--work-tree=.", "rev-parse", "HEAD:a.txt").trim();
  const object = join(cwd, ".git/objects", blob.slice(0, 2), blob.slice(2));

  const { entries } = await gitStatus({ cwd });
  assert.deepEqual(
    entries.map(({ path }) => path),
    ["a.txt", "b=c.txt", ".gitattributes"],
  );
  assert.match((await gitDiff({ cwd, of: "worktree" })).text, /^\+two$/m);
  await gitDiff({ cwd, of: "index" });
  await gitDiff({ cwd, of: { since: "HEAD~1" } });
  await gitLog({ cwd, limit: 10, skip: 0 });
  await gitBranches({ cwd });
  renameSync(object, `${object}.away`);
  await assert.rejects(gitDiff({ cwd, of: "worktree" }), {
    code: "git_failed",
  });
  assert.equal(existsSync(mark), false, "a program ran");
  assert.deepEqual(readFileSync(join(cwd, ".git/index")), index);
  // The program does run where nobody keeps git from it.
  assert.throws(() => git("--work-tree=.", "status"));
  assert.equal(existsSync(mark), true);
});

test("[WSP-23] filters are switched off by whatever name they have", () => {
  const { options, env } = withoutFilters([
    "filter.lfs.clean",
    "filter.a=b.process",
    "filter.x.y.smudge",
    "user.name",
  ]);
  assert.ok(options.includes("filter.lfs.clean="));
  assert.ok(options.includes("filter.lfs.required=false"));
  assert.ok(options.includes("filter.x.y.process="));
  assert.equal(env["GIT_CONFIG_COUNT"], "4");
  assert.equal(env["GIT_CONFIG_KEY_0"], "filter.a=b.clean");
  assert.deepEqual(withoutFilters(["user.name"]), { options: [], env: {} });
});

test("[WSP-27] a filter whose name is no text is not run: looking is refused", async (t) => {
  const { directory, cwd, git, file } = scene(t);
  const mark = join(directory, "ran");
  const program = join(directory, "program");
  writeFileSync(program, `#!/bin/sh\necho ran >> '${mark}'\ncat\n`);
  chmodSync(program, 0o755);
  git("init", "-q", "-b", "main");
  file("a.txt", "one\n");
  git("add", ".");
  git("commit", "-q", "-m", "first");
  const odd = Buffer.from([0x65, 0xff]).toString("latin1");
  const latin1 = (path: string, text: string): void =>
    appendFileSync(join(cwd, path), Buffer.from(text, "latin1"));
  // A branch may be called so: that hurts nobody.
  latin1(".git/config", `[branch "${odd}"]\n\tremote = .\n`);
  assert.equal((await gitStatus({ cwd })).entries.length, 0);
  latin1(".git/config", `[filter "${odd}"]\n\tclean = ${program}\n`);
  latin1(".gitattributes", `a.txt filter=${odd}\n`);
  file("a.txt", "two\n");
  await assert.rejects(gitStatus({ cwd }), { code: "git_failed" });
  await assert.rejects(gitDiff({ cwd, of: "worktree" }), {
    code: "git_failed",
  });
  assert.equal(existsSync(mark), false, "the filter ran");
  git("diff");
  assert.equal(existsSync(mark), true, "git alone runs it");
});

test("[WSP-24] a long diff is cut, and says so", async (t) => {
  const { cwd, git, file } = scene(t);
  git("init", "-q");
  file("a.txt", "");
  git("add", ".");
  git("commit", "-q", "-m", "first");
  file("a.txt", "a line of some length\n".repeat(100_000));
  const { text, truncated, files } = await gitDiff({ cwd, of: "worktree" });
  assert.equal(truncated, true);
  assert.equal(text.length, 1024 * 1024);
  assert.equal(files[0]?.added, 100_000);
});
