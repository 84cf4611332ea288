import assert from "node:assert/strict";
import {
  mkdir,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { MappedFile } from "../../../checkpoint/fixtures/mapped-file.ts";
import { withBench } from "../../fixtures/bench.ts";
import { inSession } from "../../fixtures/in-repository.ts";
import { besideWriter } from "../../fixtures/workspace.ts";

test("[CPT-7] a rewind brings everything back, and a dry run only says so", () =>
  withBench(async (bench) => {
    const { write, read, save, rewind, at, cwd } = await inSession(bench);
    await write("a.txt", "first");
    await mkdir(at("d"));
    const first = await save();
    await write("a.txt", "second");
    await write("b.txt", "new");
    await rm(at("d"), { recursive: true });
    const second = await save();

    const plan = await rewind(first, { dry_run: true });
    assert.deepEqual(plan.changes, [
      { path: "a.txt", kind: "modified" },
      { path: "b.txt", kind: "removed" },
      { path: "d", kind: "added" },
    ]);
    assert.equal(await save(), second);
    assert.deepEqual(await rewind(first), plan);
    assert.equal(await read("a.txt"), "first");
    assert.deepEqual((await readdir(cwd)).sort(), ["a.txt", "d"]);
    assert.equal(await save(), first);
    // And the undo of the undo.
    await rewind(second);
    assert.equal(await save(), second);
  }));

test("[CPT-7] a rewind beside a process that keeps writing is a conflict", () =>
  withBench(async (bench) => {
    const { write, save, rewind, at } = await inSession(bench);
    await write("a.txt", "first");
    const first = await save();
    await besideWriter(at("a.txt"), () =>
      assert.rejects(rewind(first), { code: "workspace_changing" }),
    );
  }));

test("[CPT-7] what was changed after it was captured is not undone: nothing would have it any more", () =>
  withBench(async (bench) => {
    const { write, read, save, rewind, at } = await inSession(bench);
    await write("a.txt", "first");
    await write("same.txt", "same");
    await mkdir(at("gone"));
    await write("gone/b.txt", "b");
    const first = await save();
    await write("a.txt", "second");
    await rm(at("gone"), { recursive: true });
    const captured = await save();
    const refused = { code: "workspace_changing" };
    for (const [name, text] of [
      ["a.txt", "third!"],
      ["same.txt", "edited"],
      ["new.txt", "new"],
    ] as const) {
      const before = await read(name).catch(() => null);
      await write(name, text);
      await assert.rejects(rewind(first, { captured }), refused, name);
      assert.equal(await read(name), text);
      await (before === null ? rm(at(name)) : write(name, before));
    }
    // What a rewind that was cut off has done, and left half done.
    await write("a.txt", "first");
    await mkdir(at("gone"));
    await write("gone/b.txt", "half");
    await rm(at("same.txt"));
    await rewind(first, { captured });
    assert.equal(await save(), first);
  }));

test("[CPT-7] a link in the place of a workspace is not followed by a rewind", () =>
  withBench(async (bench) => {
    const { write, save, rewind, cwd } = await inSession(bench);
    await write("a.txt", "first");
    const first = await save();
    await rename(cwd, `${cwd}-moved`);
    const elsewhere = `${cwd}-elsewhere`;
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, "b.txt"), "precious");
    await symlink(elsewhere, cwd);
    for (const dry_run of [true, false])
      await assert.rejects(rewind(first, { dry_run }), {
        code: "workspace_changing",
        message: /leads to .*-elsewhere by a link/,
      });
    assert.deepEqual(await readdir(elsewhere), ["b.txt"]);
  }));

test("[CPT-18] a home directory, or one that holds it, is not rewound as a whole", (t) =>
  withBench(async (bench) => {
    const { write, read, save, rewind, at, cwd } = await inSession(bench);
    await write("a.txt", "first");
    const first = await save();
    await write("a.txt", "second");
    const { HOME } = process.env;
    t.after(() => (process.env["HOME"] = HOME));
    for (const home of [cwd, at("person")]) {
      process.env["HOME"] = home;
      for (const dry_run of [true, false])
        await assert.rejects(rewind(first, { dry_run }), {
          code: "workspace_holds_home",
          message: /Fork the session at that turn instead/,
        });
    }
    assert.equal(await read("a.txt"), "second");
    // What only undoes the session's own changes is no danger.
    const second = await save();
    await rewind(first, { own: [{ from: first, to: second }] });
    assert.equal(await read("a.txt"), "first");
  }));

test("[CPT-7] a rewind of a workspace that is gone makes it again", () =>
  withBench(async (bench) => {
    const { write, save, rewind, cwd } = await inSession(bench);
    await write("a.txt", "first");
    const first = await save();
    await rm(cwd, { recursive: true });
    const { changes } = await rewind(first);
    assert.deepEqual(changes, [{ path: "a.txt", kind: "added" }]);
    assert.equal(await save(), first);
  }));

test("[CPT-8] in a shared directory only what this session did is undone", () =>
  withBench(async (bench) => {
    const { write, read, save, rewind } = await inSession(bench);
    await write("mine", "0");
    await write("theirs", "0");
    const before = await save();
    await write("theirs", "1");
    const from = await save();
    await write("mine", "1");
    await write("new", "1");
    const to = await save();
    await write("theirs", "2");
    const told = await rewind(before, { own: [{ from, to }] });
    assert.deepEqual(told.conflicts, []);
    assert.deepEqual(told.changes, [
      { path: "mine", kind: "modified" },
      { path: "new", kind: "removed" },
    ]);
    assert.equal(await read("mine"), "0");
    assert.equal(await read("theirs"), "2");
  }));

test("[CPT-8] where others changed the same file since, or at the same time, nothing is touched", () =>
  withBench(async (bench) => {
    const { write, save, rewind } = await inSession(bench);
    await write("mine", "0");
    await write("also mine", "0");
    const from = await save();
    await write("mine", "1");
    await write("also mine", "1");
    const to = await save();
    const own = [{ from, to }];
    const others = [{ from, to: await save() }];
    const same = await rewind(from, { own, others });
    assert.deepEqual(
      same.conflicts.map(({ path }) => path),
      ["also mine", "mine"],
    );
    await write("mine", "theirs");
    const now = await save();
    const since = await rewind(from, { own });
    assert.deepEqual(since.conflicts, [{ path: "mine", kind: "modified" }]);
    assert.equal(await save(), now);
  }));

test("[CPT-7] [CHK-32] what is stored through a mapping after it was captured is not lost, and an undo brings it back", () =>
  withBench(async (bench) => {
    const { write, read, save, rewind, at } = await inSession(bench);
    await write("mapped", "0".repeat(5000));
    using mapped = new MappedFile(at("mapped"));
    mapped.store("first ");
    // From here on its times stay as they are.
    const { ctimeMs } = await stat(at("mapped"));
    while (Date.now() <= ctimeMs + 100) await new Promise(setImmediate);
    const first = await save();
    mapped.store("second");
    const second = await save();
    mapped.store("third ");
    await assert.rejects(rewind(first, { captured: second }), {
      code: "workspace_changing",
    });
    assert.equal((await read("mapped")).slice(0, 6), "third ");
    const captured = await save();
    await rewind(first, { captured });
    assert.equal((await read("mapped")).slice(0, 6), "first ");
    await rewind(captured);
    assert.equal((await read("mapped")).slice(0, 6), "third ");
  }));
