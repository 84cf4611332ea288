import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { scratch } from "../fixtures/scratch.ts";
import { locateProgram, type Program } from "./program.ts";
import { findProgram } from "./find-program.ts";
import { remember } from "./remember.ts";
import { toldVersion } from "./told-version.ts";

const program: Program = {
  name: "some-agent",
  args: ["--acp"],
  package: "@some/agent",
  version: "1.2.3",
};

const executable = (path: string, text = "#!/bin/sh\n"): string => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
};

/** A package as npm lays it out: its program linked into .bin. */
const installed = (directory: string, version: string): string => {
  const home = join(directory, "node_modules", "@some", "agent");
  const file = executable(join(home, "dist", "main.js"));
  writeFileSync(join(home, "dist", "package.json"), '{"type":"module"}');
  writeFileSync(
    join(home, "package.json"),
    JSON.stringify({ name: "@some/agent", version }),
  );
  const bin = join(directory, "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(file, join(bin, "some-agent"));
  return bin;
};

test("a program is found on the PATH, with the version of its package", async (t) => {
  const bin = installed(scratch(t), "9.8.7");
  assert.deepEqual(await locateProgram(program, { path: bin }), {
    argv: [join(bin, "some-agent"), "--acp"],
    version: "9.8.7",
    found: "path",
  });
});

test("else in the node_modules of the project, in its directory or above it", async (t) => {
  const project = scratch(t);
  const bin = installed(project, "0.1.0");
  const cwd = join(project, "packages", "one");
  const located = await locateProgram(program, { path: "", cwd });
  assert.deepEqual(located, {
    argv: [join(bin, "some-agent"), "--acp"],
    version: "0.1.0",
    found: "project",
  });
});

test("else npx is asked for the exact version that was tried, if there is one", async (t) => {
  const path = scratch(t);
  assert.equal(await locateProgram(program, { path, cwd: path }), null);
  const npx = executable(join(path, "npx"));
  assert.deepEqual(await locateProgram(program, { path, cwd: path }), {
    argv: [npx, "--yes", "@some/agent@1.2.3", "--acp"],
    version: "1.2.3",
    found: "npx",
  });
  const untried = { ...program, version: null };
  assert.equal(await locateProgram(untried, { path, cwd: path }), null);
});

test("a program outside of packages is asked for its version, once for as long as its file is the same", async (t) => {
  const directory = scratch(t);
  const asked = join(directory, "asked");
  const file = executable(
    join(directory, "some-agent"),
    `#!/bin/sh\necho once >> ${asked}\necho "some agent v2.3.4 (beta)"\n`,
  );
  const env = { PATH: "/usr/bin:/bin" };
  assert.equal(await toldVersion(file, env), "2.3.4");
  assert.equal(await toldVersion(file, env), "2.3.4");
  assert.equal(readFileSync(asked, "utf8"), "once\n");
  assert.equal(await toldVersion(join(directory, "missing"), env), null);
});

test("[API-154] a version that could not be had is not remembered, for nobody", async (t) => {
  const directory = scratch(t);
  const helper = join(directory, "helper");
  const file = executable(
    join(directory, "some-agent"),
    `#!/bin/sh\n[ -e ${helper} ] || exit 1\n[ "$GOOD" ] || exit 1\necho 2.3.4\n`,
  );
  const PATH = "/usr/bin:/bin";
  assert.equal(await toldVersion(file, { PATH, GOOD: "1" }), null);
  writeFileSync(helper, "");
  const [bad, good] = await Promise.all([
    toldVersion(file, { PATH }),
    toldVersion(file, { PATH, GOOD: "1" }),
  ]);
  assert.deepEqual([bad, good], [null, "2.3.4"]);
  assert.equal(await toldVersion(file, { PATH }), "2.3.4", "it is known now");

  const bin = installed(directory, "1.0.0");
  const about = join(directory, "node_modules/@some/agent/package.json");
  const text = readFileSync(about);
  const version = async () =>
    (await locateProgram(program, { path: bin, cwd: "/" }))?.version;
  rmSync(about);
  assert.equal(await version(), null);
  writeFileSync(about, text);
  assert.equal(await version(), "1.0.0");
});

test("[LNK-66] a package.json that is no plain file, or too long, is not read and not waited for", async (t) => {
  for (const [n, spoil] of [
    (path: string) => execFileSync("mkfifo", [path]),
    (path: string) => mkdirSync(path),
    (path: string) => symlinkSync("/dev/zero", path),
    (path: string) =>
      writeFileSync(
        path,
        `{"name":"x","version":"1.0.0"${" ".repeat(2 ** 20)}}`,
      ),
  ].entries()) {
    const directory = scratch(t);
    const bin = installed(directory, "1.0.0");
    const file = join(directory, "node_modules/@some/agent/package.json");
    rmSync(file);
    spoil(file);
    const located = await locateProgram(program, { path: "", cwd: directory });
    const argv = [join(bin, "some-agent"), "--acp"];
    assert.deepEqual(
      located,
      { argv, version: null, found: "project" },
      String(n),
    );
  }
});

test("[API-141] no more than 512 entries of a PATH are looked at, each once, and no more than 256 versions are remembered", async (t) => {
  const directory = scratch(t);
  const file = executable(join(directory, "some-agent"));
  const path = (before: number): string =>
    [
      ...Array.from({ length: before }, (_, n) => join(directory, String(n))),
      directory,
    ].join(":");
  assert.equal(await findProgram("some-agent", path(511)), file);
  assert.equal(await findProgram("some-agent", path(512)), null);
  const again = `${directory}/none:`.repeat(1000) + directory;
  assert.equal(await findProgram("some-agent", again), file);

  const map = new Map<string, number>();
  for (let n = 0; n < 1000; n += 1) remember(map, String(n), n);
  assert.equal(map.size, 256);
  assert.equal(map.get("999"), 999);
  remember(map, "744", 1);
  remember(map, "new", 2);
  assert.equal(map.get("744"), 1, "what was used last stays");
});
