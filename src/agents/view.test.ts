import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { scratch } from "./fixtures/scratch.ts";
import { gemini } from "./gemini/gemini.ts";
import type { Where } from "./launch/launch.ts";
import { viewOf } from "./view.ts";

/** Where a program leaves a trace when it is run. */
const trap = (path: string, ran: string): string => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n: > ${ran}\necho 1.2.3\n`);
  chmodSync(path, 0o755);
  return dirname(path);
};

const look = (changes: Partial<Where>) =>
  viewOf(
    gemini,
    {
      path: "",
      env: { HOME: "/nowhere" },
      programs: "/nowhere",
      node: process.execPath,
      ...changes,
    },
    { patient: true },
  );

test("[LNK-65] looking at agents runs nothing that a project brings, however it is found", async (t) => {
  const outside = scratch(t);
  const project = scratch(t);
  const ran = join(outside, "ran");
  mkdirSync(join(project, ".git"));
  const cwd = join(project, "packages", "one");
  mkdirSync(cwd, { recursive: true });
  const bin = trap(join(project, "node_modules/.bin/gemini"), ran);
  const tools = trap(join(project, "tools/gemini"), ran);
  const linked = join(outside, "linked");
  symlinkSync(tools, linked);
  const aside = join(outside, "aside");
  symlinkSync(project, aside);
  const looks: Partial<Where>[] = [
    { cwd },
    { cwd, path: bin },
    { path: bin },
    { cwd, path: tools },
    { cwd, path: linked },
    { cwd: aside, path: tools },
    { cwd: project, path: join(aside, "tools") },
  ];
  for (const each of looks) {
    const { installed, version } = await look(each);
    assert.deepEqual(
      { installed, version },
      { installed: true, version: null },
      JSON.stringify(each),
    );
    assert.equal(existsSync(ran), false, JSON.stringify(each));
  }
  assert.equal((await look({ cwd, path: "." })).found, "project");
});

test("[LNK-65] a program of the person's own is asked, with no program of the project in its PATH", async (t) => {
  const outside = scratch(t);
  const project = scratch(t);
  const ran = join(outside, "ran");
  mkdirSync(join(project, ".git"));
  const bin = trap(join(project, "node_modules/.bin/agents-shell"), ran);
  const own = join(outside, "own");
  mkdirSync(own);
  const file = join(own, "gemini");
  writeFileSync(file, '#!/bin/sh\nagents-shell\necho "4.5.6 $PATH"\n');
  chmodSync(file, 0o755);
  const path = [".", bin, own, "/usr/bin", "/bin"].join(":");
  const env = { HOME: "/nowhere", PATH: path };
  assert.equal((await look({ cwd: project, path, env })).version, "4.5.6");
  assert.equal(existsSync(ran), false);
});

test("[LNK-65] what lies in the person's home is theirs, also when they look from there", async (t) => {
  const home = scratch(t);
  const own = trap(join(home, "bin/gemini"), join(home, "ran"));
  const seen = await look({ cwd: home, path: own, env: { HOME: home } });
  assert.equal(seen.version, "1.2.3");
});
