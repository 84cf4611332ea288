import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";

const repository = resolve(import.meta.dirname, "../..");

/** The real runner in a project that holds only these files. */
const run = async (
  files: Record<string, string>,
  args: readonly string[] = [],
  extra: Record<string, string> = {},
): Promise<{ code: number | null; out: string; lastLine: string }> => {
  const root = await mkdtemp(join(tmpdir(), "runner-"));
  try {
    await cp(join(repository, "scripts"), join(root, "scripts"), {
      recursive: true,
      filter: (from) => !from.endsWith(".test.ts"),
    });
    await symlink(
      join(repository, "node_modules"),
      join(root, "node_modules"),
      "dir",
    );
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
    const { NODE_TEST_CONTEXT: _, CI: __, ...env } = process.env;
    const child = spawn(process.execPath, ["scripts/test.ts", ...args], {
      cwd: root,
      env: { ...env, ...extra },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [out] = await Promise.all([text(child.stdout), once(child, "exit")]);
    const lastLine = out.trimEnd().split("\n").at(-1) ?? "";
    return { code: child.exitCode, out, lastLine };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
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
