/** What a restore makes beside its place, and what only looks like it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { Bench } from "../fixtures/bench.ts";
import { judge } from "../fixtures/judge.ts";

const PERSONS = [
  ".reprise-restore-",
  ".reprise-restore-notes.txt",
  // As older releases named theirs.
  ".reprise-restore-0123456789ab",
  // As this one does.
  `.reprise-restore-${"0123456789abcdef".repeat(2)}-0123456789ab`,
  "deep/.reprise-restore-x",
  ".reprise-restore-directory/file",
  `.reprise-restore-${"a".repeat(32)}/file`,
];

const notes = (bench: Bench): string[] => readdirSync(bench.site.restores);

test("[P3] [P12] [CHK-43] a person's file is captured and restored whatever its name, and is never removed", async () => {
  await using bench = await Bench.make();
  for (const path of PERSONS) {
    mkdirSync(dirname(join(bench.workspace, path)), { recursive: true });
    writeFileSync(join(bench.workspace, path), path);
  }
  const { tree, files } = await bench.save();
  assert.equal(files, PERSONS.length);
  const was = judge(bench.workspace);
  await bench.assertIs(tree, was);
  for (const path of PERSONS)
    writeFileSync(join(bench.workspace, path), `changed ${path}`);
  const second = await bench.save();
  const changed = judge(bench.workspace);
  await bench.restore(tree);
  assert.deepEqual(judge(bench.workspace), was);
  for (const path of PERSONS)
    rmSync(join(bench.workspace, path), { recursive: true });
  await bench.restore(second.tree);
  assert.deepEqual(judge(bench.workspace), changed);
  assert.deepEqual(notes(bench), [], "nothing is under way");

  // A directory that holds nothing else is not vacant either.
  const place = bench.place();
  mkdirSync(place);
  const own = join(place, PERSONS[2] ?? "");
  writeFileSync(own, "mine");
  await bench.restore(tree, place, { createOnly: true });
  assert.equal(readFileSync(own, "utf8"), "mine");
});

test("[CHK-43] [CHK-20] what a killed restore left is in no checkpoint, and goes with the next restore", async () => {
  await using bench = await Bench.make();
  const at = (name: string): string => join(bench.workspace, name);
  for (const name of ["a", "b", "c"]) writeFileSync(at(name), `old ${name}`);
  const { tree } = await bench.save();
  const was = judge(bench.workspace);
  for (const name of ["a", "b", "c"]) writeFileSync(at(name), `new ${name}`);
  await bench.vault.close();
  const program = join(import.meta.dirname, "../fixtures/doer.ts");
  const { signal } = spawnSync(
    process.execPath,
    [program, "restore", bench.directory, tree],
    {
      env: {
        ...process.env,
        REPRISE_CRASH_AT: "checkpoint.restore.written:2",
      },
    },
  );
  assert.equal(signal, "SIGKILL");
  const left = readdirSync(bench.workspace).filter((name) =>
    name.startsWith(".reprise-restore-"),
  );
  assert.equal(left.length, 1);
  assert.equal(notes(bench).length, 1);

  await bench.reopen();
  writeFileSync(at(`${left[0]}x`), "a person's");
  const listed = await bench.vault.list((await bench.save()).tree);
  const paths = listed.map(({ path }) => path);
  assert.ok(!paths.includes(left[0] ?? ""));
  assert.ok(paths.includes(`${left[0]}x`));
  rmSync(at(`${left[0]}x`));
  await bench.restore(tree);
  assert.deepEqual(judge(bench.workspace), was);
  assert.deepEqual(notes(bench), []);
});

test("[CHK-43] a workspace that is being made is found again by the next try, and no rewind around it fails over it", async () => {
  await using bench = await Bench.make();
  writeFileSync(join(bench.workspace, "file"), "1");
  const target = join(bench.workspace, "nested");
  const draft = await bench.vault.draftDirectory(target);
  mkdirSync(draft);
  writeFileSync(join(draft, "half"), "made");
  assert.equal(dirname(draft), bench.workspace);
  await bench.reopen();
  assert.equal(await bench.vault.draftDirectory(target), draft);

  const { tree, files } = await bench.save();
  assert.equal(files, 1);
  writeFileSync(join(bench.workspace, "file"), "2");
  await bench.restore(tree);
  assert.ok(existsSync(join(draft, "half")), "it is another's work");
  await bench.vault.endDraftDirectory(target);
  assert.deepEqual(notes(bench), []);
  assert.equal((await bench.save()).files, 2, "now it is anybody's");
});
