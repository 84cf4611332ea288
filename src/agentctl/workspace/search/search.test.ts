import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { SearchOrder } from "../../../contract/link/link-search.ts";
import { until } from "../../../kit/fixtures/patience.ts";
import { CheckpointStorage } from "../../storage/checkpoint-storage.ts";
import { WorkspaceFiles } from "../files/workspace-files.ts";
import { search } from "./search.ts";

const scene = (t: TestContext) => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "search-")));
  const files = new WorkspaceFiles(
    new CheckpointStorage(join(directory, "home"), () => undefined),
  );
  t.after(async () => {
    await files.close();
    rmSync(directory, { recursive: true });
  });
  const cwd = join(directory, "work");
  mkdirSync(join(cwd, "src"), { recursive: true });
  const find = (
    pattern: string,
    more: Partial<SearchOrder> = {},
    { programs = "/nowhere", signal = new AbortController().signal } = {},
  ) =>
    search(
      { files, programs },
      {
        cwd,
        path: "",
        pattern,
        names: false,
        regex: false,
        case: "smart",
        globs: [],
        hidden: false,
        ignored: false,
        limit: 100,
        ...more,
      },
      signal,
    );
  const paths = async (pattern: string, more: Partial<SearchOrder> = {}) =>
    (await find(pattern, more)).matches.map(({ path, line }) => [path, line]);
  return { directory, cwd, find, paths };
};

test("[WSP-18] lines are found by text, by expression, by case, by glob and in a directory", async (t) => {
  const { cwd, paths } = scene(t);
  writeFileSync(join(cwd, "a.txt"), "first\nA.b (here)\n");
  writeFileSync(join(cwd, "src/b.ts"), "axb\na.b\n");
  writeFileSync(join(cwd, ".hidden"), "a.b\n");
  writeFileSync(join(cwd, ".gitignore"), "left-out\n");
  writeFileSync(join(cwd, "left-out"), "a.b\n");
  mkdirSync(join(cwd, ".git"));
  writeFileSync(join(cwd, ".git/config"), "a.b\n");
  const [a, b] = [
    ["a.txt", 2],
    ["src/b.ts", 2],
  ];
  assert.deepEqual(await paths("a.b"), [a, b]);
  assert.deepEqual(await paths("A.b"), [a]);
  assert.deepEqual(await paths("a.b", { case: "sensitive" }), [b]);
  assert.deepEqual(await paths("(here)"), [a]);
  assert.deepEqual(await paths("^a.b$", { regex: true }), [["src/b.ts", 1], b]);
  assert.deepEqual(await paths("a.b", { globs: ["*.ts"] }), [b]);
  assert.deepEqual(await paths("a.b", { globs: ["!*.ts"] }), [a]);
  assert.deepEqual(await paths("a.b", { path: "src" }), [b]);
  assert.deepEqual(await paths("a.b", { hidden: true }), [
    [".hidden", 1],
    a,
    b,
  ]);
  assert.deepEqual(await paths("a.b", { ignored: true }), [
    a,
    ["left-out", 1],
    b,
  ]);
  assert.deepEqual(await paths("--files"), []);
});

test("[WSP-26] files are found by their names, the best first, without what is left out", async (t) => {
  const { cwd, find, paths } = scene(t);
  for (const path of ["src/app.ts", "src/snapper.ts", "app.md", "empty"])
    writeFileSync(join(cwd, path), "");
  mkdirSync(join(cwd, "app/deep"), { recursive: true });
  writeFileSync(join(cwd, "app/deep/main.ts"), "x\n");
  writeFileSync(join(cwd, "app\nother"), "");
  writeFileSync(join(cwd, ".gitignore"), "left-out\n");
  writeFileSync(join(cwd, "left-out"), "app\n");
  symlinkSync("src/app.ts", join(cwd, "app-link"));
  const names = async (pattern: string, more: Partial<SearchOrder> = {}) =>
    (await paths(pattern, { names: true, ...more })).map(([path]) => path);
  assert.deepEqual(await names("app"), [
    "app.md",
    "app\nother",
    "src/app.ts",
    "src/snapper.ts",
    "app/deep/main.ts",
  ]);
  assert.deepEqual(await names("src/app"), ["src/app.ts"]);
  assert.deepEqual(await names("main", { path: "app" }), ["app/deep/main.ts"]);
  assert.deepEqual(await names("app", { globs: ["*.md"] }), ["app.md"]);
  assert.deepEqual(await names("left"), []);
  assert.deepEqual(await names("left", { ignored: true }), ["left-out"]);
  const some = await find("app", { names: true, limit: 1 });
  assert.equal(some.stopped, "limit");
  assert.deepEqual(some.matches, [
    {
      path: "app.md",
      line: null,
      text: "app.md",
      cut: false,
      ranges: [{ start: 0, end: 3 }],
    },
  ]);
});

test("[WSP-19] links are not followed, a pattern that is none is refused, and FIFOs are passed over", async (t) => {
  const { cwd, directory, find, paths } = scene(t);
  writeFileSync(join(directory, "outside"), "secret\n");
  symlinkSync("../outside", join(cwd, "link"));
  symlinkSync("..", join(cwd, "up"));
  execFileSync("mkfifo", [join(cwd, "fifo")]);
  assert.deepEqual(await paths("secret"), []);
  await assert.rejects(find("(", { regex: true }), { code: "invalid_pattern" });
  await assert.rejects(find("x", { path: "up" }), { code: "path_outside" });
  await assert.rejects(find("x", { path: "none" }), { code: "path_not_found" });
});

test("[WSP-20] lines and texts are bounded, and what matched is told by characters", async (t) => {
  const { cwd, find } = scene(t);
  writeFileSync(join(cwd, "many"), "word\n".repeat(50));
  const some = await find("word", { limit: 10 });
  assert.equal(some.matches.length, 10);
  assert.equal(some.stopped, "limit");
  assert.equal((await find("word", { limit: 50 })).stopped, null);
  writeFileSync(
    join(cwd, "odd"),
    Buffer.from("\xc3\xbc\xff needle\r\n", "latin1"),
  );
  const [odd] = (await find("needle")).matches;
  assert.equal(odd?.text, "ü\ufffd needle");
  assert.deepEqual(odd?.ranges, [{ start: 3, end: 9 }]);
  writeFileSync(
    join(cwd, "long"),
    `${"x".repeat(5000)}thing${"y".repeat(5000)}\n`,
  );
  const [long] = (await find("thing")).matches;
  assert.equal(long?.text.length, 500);
  assert.equal(long?.cut, true);
  assert.deepEqual(long?.ranges, [{ start: 100, end: 105 }]);
  writeFileSync(join(cwd, "huge"), `begin ${"z".repeat(3_000_000)} finish\n`);
  const [huge] = (await find("finish")).matches;
  assert.equal(huge?.path, "huge");
  assert.equal(huge?.line, 1);
  assert.equal(huge?.text.startsWith("begin zzz"), true);
  assert.equal(huge?.cut, true);
});

test("[WSP-20] [WSP-21] the program beside agentctl is used, and ends with its caller", async (t) => {
  const { directory, find } = scene(t);
  const programs = join(directory, "programs");
  mkdirSync(programs);
  const pid = join(directory, "pid");
  writeFileSync(
    join(programs, "rg"),
    `#!/bin/sh\necho $$ > '${pid}.draft'\n/bin/mv '${pid}.draft' '${pid}'\nexec /bin/sleep 1000\n`,
  );
  chmodSync(join(programs, "rg"), 0o755);
  const leaving = new AbortController();
  const searching = find("x", {}, { programs, signal: leaving.signal });
  const ended = assert.rejects(searching, { code: "internal" });
  await until(() => isAlive(pid));
  leaving.abort();
  await ended;
  assert.equal(isAlive(pid), false);
});

const isAlive = (file: string): boolean => {
  try {
    execFileSync("sh", ["-c", `kill -0 "$(cat "$1")"`, "sh", file], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
};

test("[WSP-26] lines with thousands of matches are told as quickly as others", async (t) => {
  const { cwd, find } = scene(t);
  writeFileSync(
    join(cwd, "min.js"),
    `${"vär a=1;".repeat(7000)}\n`.repeat(101),
  );
  const { matches, stopped } = await find("a=");
  assert.equal(stopped, "limit");
  assert.equal(matches.length, 100);
  const ranges = matches[0]?.ranges ?? [];
  assert.deepEqual(ranges[0], { start: 4, end: 6 });
  assert.deepEqual(ranges.at(-1), { start: 492, end: 494 });
  assert.equal(ranges.length, 62);
});
