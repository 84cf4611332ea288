/** Checkpoints after the first one: of nothing new, of ten edits, and back. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run, runAll } from "./command.ts";
import type { Editor } from "./edits.ts";
import type { Kept } from "./first-full.ts";
import { look } from "./peers.ts";
import { tell, Times } from "./rounds.ts";
import { sizeOf, type Stand } from "./stand.ts";

export type Again = Times<"ours" | "find" | "restic" | "git">;

export const unchanged = async (
  stand: Stand,
  kept: Kept,
  rounds: number,
): Promise<Again> => {
  const times: Again = new Times();
  tell(`${stand.name}: nothing changed, ${rounds} rounds`);
  for (let round = 0; round < rounds; round += 1)
    await saveOnce(stand, kept, times);
  return times;
};

export interface Growth {
  ours: number;
  restic: number;
}

/** Every round edits ten files, and all keep the same edits. */
export const edited = async (
  stand: Stand,
  kept: Kept,
  editor: Editor,
  rounds: number,
): Promise<{ times: Again; growth: Growth }> => {
  const times: Again = new Times();
  const before = sizes(kept);
  tell(`${stand.name}: ten edits, ${rounds} rounds`);
  for (let round = 0; round < rounds; round += 1) {
    editor.tenFiles();
    await saveOnce(stand, kept, times);
  }
  const after = sizes(kept);
  const growth = {
    ours: after.ours - before.ours,
    restic: after.restic - before.restic,
  };
  return { times, growth };
};

/** Ten files back to what they were, where they are. */
export const rewound = async (
  { name, root }: Stand,
  { ours }: Kept,
  editor: Editor,
  rounds: number,
): Promise<Times<"ours" | "find">> => {
  const times = new Times<"ours" | "find">();
  tell(`${name}: rewind of ten files, ${rounds} rounds`);
  for (let round = 0; round < rounds; round += 1) {
    const { tree } = await ours.save(root);
    const files = editor.choose();
    const contents = () =>
      files.map((path) => readFileSync(join(root, path), "latin1"));
    const before = contents();
    editor.edit(files);
    assert.notDeepEqual(contents(), before);
    times.add("find", run(look(root)));
    times.add("ours", await ours.restore(tree, root));
    assert.deepEqual(contents(), before);
  }
  return times;
};

const saveOnce = async (
  { root }: Stand,
  kept: Kept,
  times: Again,
): Promise<void> => {
  times.add("find", run(look(root)));
  times.add("ours", (await kept.ours.save(root)).seconds);
  times.add("restic", run(kept.restic.backup(root)));
  times.add("git", runAll(kept.git.save(root)));
};

const sizes = ({ ours, restic }: Kept): Growth => ({
  ours: sizeOf(ours.folder),
  restic: sizeOf(restic.repository),
});
