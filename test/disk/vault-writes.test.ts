/** A disk that has no room, or fails, at each write of the vault. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RestoreNotes } from "../../src/checkpoint/files/restore-notes.ts";
import { Bench } from "../../src/checkpoint/fixtures/bench.ts";
import { noise } from "../../src/checkpoint/fixtures/damage.ts";
import { judge } from "../../src/checkpoint/fixtures/judge.ts";
import type { Hash } from "../../src/checkpoint/format/hash.ts";
import { diskTest } from "./small-disk.ts";

/** By how much more room each try has. */
const STEP = 24 * 1024;

interface Scene {
  bench: Bench;
  tree: Hash;
  /** What the workspace was when that was saved. */
  was: Map<string, string>;
  archive: string;
}

/** A checkpoint that is needed, one that is not, an archive, and much that changed since. */
const sceneIn = async (path: string): Promise<Scene> => {
  const bench = await Bench.make(path);
  const at = (name: string): string => join(bench.workspace, name);
  for (const name of ["a", "b", "c"]) writeFileSync(at(name), noise(25_000));
  const { tree } = await bench.save();
  const was = judge(bench.workspace);
  const archive = join(bench.directory, "session.reprise");
  await bench.vault.exportTo(archive, [tree], []);
  for (const name of ["a", "b"]) writeFileSync(at(name), noise(26_000));
  await bench.save();
  for (const name of ["b", "c"]) writeFileSync(at(name), noise(27_000));
  return { bench, tree, was, archive };
};

const deeds: Record<string, (scene: Scene) => Promise<unknown>> = {
  save: ({ bench }) => bench.save(),
  restore: ({ bench, tree }) => bench.restore(tree),
  prune: ({ bench: { vault }, tree }) =>
    vault.prune(vault.beginPrune(), [tree], { dryRun: false }),
  export: ({ bench, tree }) =>
    bench.vault.exportTo(join(bench.directory, "exported"), [tree], []),
  import: ({ bench, archive }) => bench.vault.importFrom(archive),
  open: ({ bench }) => bench.reopen(),
};

/** So that opening the vault has something to write: they are made when they are not there. */
const removeFolders = ({ bench }: Scene): void => {
  for (const name of ["restores", "imported"])
    rmSync(join(bench.directory, "vault", name), { recursive: true });
};

/** What nobody will ever finish. */
const leftIn = ({ bench }: Scene): string[] =>
  readdirSync(bench.directory, { recursive: true, encoding: "utf8" }).filter(
    (name) => /\.draft$|\.reprise-restore-|\.[0-9a-f]{12}$/.test(name),
  );

for (const [name, deed] of Object.entries(deeds)) {
  diskTest(
    `[CHK-44] [REC-15] wherever a disk is full while it is to ${name}, that is said, nothing is lost, and with room it is done`,
    async (disk) => {
      const scene = await sceneIn(disk.path);
      await using bench = scene.bench;
      let refused = 0;
      for (let room = 0, isDone = false; !isDone; room += STEP) {
        if (name === "open") removeFolders(scene);
        await disk.fill(room);
        isDone = await deed(scene).then(
          () => true,
          (error: unknown) => {
            assert.ok(error instanceof Error && "code" in error);
            assert.equal(error.code, "storage_full", error.stack);
            refused += 1;
            return false;
          },
        );
        await disk.free();
        await bench.reopen();
        await bench.assertIs(scene.tree, scene.was);
        if (isDone || name !== "restore") assert.deepEqual(leftIn(scene), []);
      }
      assert.ok(refused > 0, "there was room at once");
    },
  );

  diskTest(
    `[CHK-44] [REC-16] a disk that fails while it is to ${name} is said, and after the repair it is done`,
    async (disk) => {
      const scene = await sceneIn(disk.path);
      await using bench = scene.bench;
      if (name === "open") removeFolders(scene);
      await disk.sync();
      await disk.turnReadOnly();
      await assert.rejects(deed(scene), { code: "storage_failed" });
      await bench.vault.close();
      await disk.mend();
      await bench.reopen();
      await bench.assertIs(scene.tree, scene.was);
      await deed(scene);
      await bench.reopen();
      await bench.assertIs(scene.tree, scene.was);
      assert.deepEqual(leftIn(scene), []);
    },
  );
}

diskTest(
  "[CHK-44] [CHK-43] a restore is done although its note cannot be removed, and the next one removes it",
  async (disk) => {
    const folder = join(disk.path, "restores");
    const warnings: string[] = [];
    const notes = await RestoreNotes.open(folder, (it) => warnings.push(it));
    const note = join(folder, await notes.begin("/work"));
    execFileSync("chattr", ["+i", note]);
    await notes.endAll("/work");
    assert.equal(warnings.length, 1);
    assert.ok(existsSync(note));
    execFileSync("chattr", ["-i", note]);
    await notes.endAll("/work");
    assert.ok(!existsSync(note));
  },
);
