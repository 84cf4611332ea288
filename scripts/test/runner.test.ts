import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cp,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { testFolders } from "./find-tests.ts";

const repository = resolve(import.meta.dirname, "../..");

/** A project with nothing in it but the real runner. */
let root: string;
before(async () => {
  root = await mkdtemp(join(tmpdir(), "runner-"));
  await cp(join(repository, "scripts"), join(root, "scripts"), {
    recursive: true,
    filter: (from) => !/\.test\.ts$|times\.json$/.test(from),
  });
  await symlink(join(repository, "node_modules"), join(root, "node_modules"));
});
after(() => rm(root, { recursive: true, force: true }));

/** Runs it where there are only these files besides. */
const run = async (
  files: Record<string, string>,
  args: readonly string[] = [],
  extra: Record<string, string> = {},
): Promise<{ code: number | null; out: string; lastLine: string }> => {
  for (const folder of testFolders)
    if (folder !== "scripts")
      await rm(join(root, folder), { recursive: true, force: true });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  const { NODE_TEST_CONTEXT: _, CI: __, ...env } = process.env;
  const child = spawn(process.execPath, ["scripts/test.ts", ...args], {
    cwd: root,
    // Compiled once for all of them, and not beside what is kept of the project itself.
    env: { ...env, NODE_COMPILE_CACHE: join(root, "compiled"), ...extra },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [out] = await Promise.all([text(child.stdout), once(child, "exit")]);
  const lastLine = out.trimEnd().split("\n").at(-1) ?? "";
  return { code: child.exitCode, out, lastLine };
};

const passing = `import { test } from "node:test";
test("[P2] no gap", () => {});
test("[P1] not twice", () => {});`;

test("counts what passed and ends with the plain line", async () => {
  const { code, lastLine } = await run({ "src/a.test.ts": passing });
  assert.equal(lastLine, "2 passed, 0 failed, 0 skipped");
  assert.equal(code, 0);
});

test("shows a failure in full and fails", async () => {
  const { code, out, lastLine } = await run({
    "src/a.test.ts": passing,
    "test/b.test.ts": `import { describe, test } from "node:test";
import assert from "node:assert/strict";
describe("outer", () => { test("inner", () => { console.log("a clue"); assert.equal(1, 2); }); });`,
  });
  assert.equal(lastLine, "2 passed, 1 failed, 0 skipped");
  assert.match(out, /✖ outer › inner\n\s+AssertionError/);
  assert.match(out, /It printed:\n\s+a clue/);
  assert.equal(code, 1);
});

test("a file that cannot be loaded, and one without tests, are failures", async () => {
  const { code, lastLine } = await run({
    "src/a.test.ts": `import "./nowhere.ts";`,
    "src/b.test.ts": ``,
  });
  assert.equal(lastLine, "0 passed, 2 failed, 0 skipped");
  assert.equal(code, 1);
});

test("no test at all is a failure", async () => {
  const { code, lastLine } = await run({});
  assert.equal(lastLine, "0 passed, 0 failed, 0 skipped");
  assert.equal(code, 1);
});

test("a path at which there is no test is a failure, whatever else ran", async () => {
  const { code, out, lastLine } = await run({ "src/a.test.ts": passing }, [
    "src/a.test.ts",
    "src/a",
  ]);
  assert.match(out, /^There is no test at src\/a\.$/m);
  assert.equal(lastLine, "2 passed, 0 failed, 0 skipped");
  assert.equal(code, 1);
});

test("selects by path and by name", async () => {
  const files = { "src/a/a.test.ts": passing, "src/ab/b.test.ts": passing };
  const byPath = await run(files, ["src/a"]);
  assert.equal(byPath.lastLine, "2 passed, 0 failed, 0 skipped");
  const byName = await run(files, ["--grep", "[P2]"]);
  assert.equal(byName.lastLine, "2 passed, 0 failed, 0 skipped");
  assert.equal(byName.code, 0);
});

test("a skip is said aloud, and fails in CI", async () => {
  const files = {
    "src/a.test.ts": `import { test } from "node:test";
test("needs a part", (t) => { t.skip("the part is missing"); });`,
  };
  const here = await run(files);
  assert.match(here.out, /needs a part \(skipped: the part is missing\)/);
  assert.equal(here.lastLine, "0 passed, 0 failed, 1 skipped");
  assert.equal(here.code, 0);
  const inCi = await run(files, [], { CI: "true" });
  assert.equal(inCi.lastLine, "0 passed, 0 failed, 1 skipped");
  assert.equal(inCi.code, 1);
});

test("a process left behind is a failure, and is killed", async () => {
  const { code, out, lastLine } = await run({
    "src/a.test.ts": `import { test } from "node:test";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
test("leaves one", () => {
  spawn("sleep", ["600"], { cwd: tmpdir(), env: {}, detached: true, stdio: "ignore" }).unref();
});`,
  });
  assert.equal(lastLine, "1 passed, 1 failed, 0 skipped");
  const pid = /process (\d+) ran on after the tests and was killed/.exec(out);
  assert.ok(pid?.[1] !== undefined, out);
  await gone(Number(pid[1]));
  assert.equal(code, 1);
});

test("tests see no home of this machine and a temporary directory of their own", async () => {
  const { lastLine, out } = await run(
    {
      "src/a.test.ts": `import { test } from "node:test";
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
test("env", () => {
  assert.deepEqual(Object.keys(process.env).filter((name) => name.startsWith("REPRISE_")), []);
  assert.deepEqual(readdirSync(tmpdir()), []);
});`,
    },
    [],
    { REPRISE_HOME: "/somewhere", REPRISE_EXECUTION: "exe_1" },
  );
  assert.equal(lastLine, "1 passed, 0 failed, 0 skipped", out);
});

test("light files of a room share a process and each is told of; whoever changes the process has one alone", async () => {
  const counting = (seen: number) => `import { test } from "node:test";
import assert from "node:assert/strict";
import { next } from "./counter.ts";
test("who was here before", () => assert.equal(next(), ${seen}));`;
  const { out, lastLine } = await run({
    "src/room/counter.ts": `let count = 0;
export const next = (): number => count++;`,
    "src/room/a.test.ts": counting(0),
    "src/room/b.test.ts": counting(1),
    "src/room/c.test.ts": `process.exitCode = 0;\n${counting(0)}`,
    "src/room/d.test.ts": counting(3),
    "src/room/e.test.ts": ``,
  });
  assert.match(out, /^✔ src\/room\/a\.test\.ts {2}1 passed/m);
  assert.match(out, /^✔ src\/room\/b\.test\.ts {2}1 passed/m);
  assert.match(out, /^✔ src\/room\/c\.test\.ts {2}1 passed/m);
  assert.match(out, /✖ src\/room\/d\.test\.ts: who was here before$/m);
  assert.match(out, /✖ src\/room\/e\.test\.ts: \(the file\)$/m);
  assert.equal(lastLine, "3 passed, 2 failed, 0 skipped");
});

test("files that use what says Together share a process however much they change in it", async () => {
  const counting = (seen: number) => `import { test } from "node:test";
import assert from "node:assert/strict";
import { next } from "./fixtures/counter.ts";
test("who was here before", () => assert.equal(next(), ${seen}));`;
  const { out, lastLine } = await run({
    "src/room/fixtures/counter.ts": `// Together: it takes long to count.
let count = 0;
export const next = (): number => count++;`,
    "src/room/a.test.ts": `process.exitCode = 0;\n${counting(0)}`,
    "src/room/b.test.ts": counting(1),
  });
  assert.equal(lastLine, "2 passed, 0 failed, 0 skipped", out);
});

test("what it took is told before the last line, and recorded when asked for", async () => {
  const slow = `import { test } from "node:test";
test("slow", () => { for (const until = Date.now() + 2500; Date.now() < until;); });`;
  const files = { "src/a.test.ts": passing, "test/slow.test.ts": slow };
  const { out } = await run(files, ["--record"]);
  assert.match(
    out,
    /^It took [\d.]+ s; the processors of the machine worked .*$/m,
  );
  const record = await readFile(join(root, "scripts/test/times.json"), "utf8");
  await rm(join(root, "scripts/test/times.json"));
  assert.match(record, /^\{\n {2}"test\/slow\.test\.ts": \d+\n\}\n$/);
});

test("tests are told how slow the machine is, which a busy one is", async () => {
  const { out, lastLine } = await run(
    {
      "src/a.test.ts": `import { test } from "node:test";
import assert from "node:assert/strict";
test("slow", () => { assert.ok(Number(process.env["TEST_SLOWNESS"]) > 1.5, process.env["TEST_SLOWNESS"]); });`,
    },
    ["--busy"],
  );
  assert.equal(lastLine, "1 passed, 0 failed, 0 skipped", out);
});

/** SIGKILL has been sent: resolves when the kernel is done with it. */
const gone = async (pid: number): Promise<void> => {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
};
