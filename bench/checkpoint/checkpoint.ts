/**
 * Checkpoints of two workspaces, beside what others do for the same purpose: archives, restic, a shadow git, and the
 * floors of looking at everything and of copying everything. All in one run on one machine, taking turns.
 */
import type { Bench } from "../figure.ts";
import { edited, rewound, unchanged } from "./again.ts";
import { asTyped } from "./command.ts";
import { Editor } from "./edits.ts";
import { firstFull } from "./first-full.ts";
import { copy, look, pack, Restic, ShadowGit, unpack } from "./peers.ts";
import { restored } from "./restores.ts";
import { tell } from "./rounds.ts";
import { type Measurements, rowsOf } from "./rows.ts";
import { setUp } from "./stand.ts";
import { toolVersions } from "./tools.ts";
import { w1, w2, type Workspace } from "./workspace/workspace.ts";

/** The growth row speaks of so many. */
const CHECKPOINTS = 20;

export const checkpoint: Bench = {
  name: "checkpoint",
  measure: async () => {
    tellPeers();
    return [
      ...rowsOf(await measure(w1, { slow: 3, quick: 7 }), true),
      ...rowsOf(await measure(w2, { slow: 5, quick: 15 }), false),
    ];
  },
};

const measure = async (
  workspace: Workspace,
  rounds: { slow: number; quick: number },
): Promise<Measurements> => {
  tell(`${workspace.name}: being made`);
  using stand = await setUp(workspace);
  const { kept, ...first } = await firstFull(stand, rounds.slow);
  const editor = new Editor(stand.root);
  try {
    return {
      name: workspace.name,
      first,
      unchanged: await unchanged(stand, kept, rounds.quick),
      edited: await edited(stand, kept, editor, CHECKPOINTS),
      rewound: await rewound(stand, kept, editor, rounds.quick),
      restored: await restored(stand, kept, rounds.slow),
      ground: stand.inMemory ? "tmpfs" : "disk, no room in /dev/shm",
    };
  } finally {
    await kept.ours.close();
  }
};

/** Which programs of which version are run, with what arguments. */
const tellPeers = (): void => {
  for (const version of toolVersions()) tell(version);
  const restic = new Restic("KEPT");
  const git = new ShadowGit("KEPT");
  const commands = [
    look("W"),
    copy("W", "GROUND"),
    pack("W", "KEPT/archive.tar.gz", "gzip"),
    pack("W", "KEPT/archive.tar.zst", "zstd -3"),
    unpack("KEPT/archive.tar.gz", "GROUND", "gzip"),
    unpack("KEPT/archive.tar.zst", "GROUND", "zstd -3"),
    restic.init(),
    restic.backup("W"),
    restic.restore("GROUND"),
    git.init("W"),
    ...git.save("W"),
  ];
  for (const command of commands) tell(`  ${asTyped(command)}`);
};
