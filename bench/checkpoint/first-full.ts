/** A first checkpoint of everything. What the last round leaves is what the later comparisons go on with. */
import { join } from "node:path";
import { run, runAll } from "./command.ts";
import { Ours } from "./ours.ts";
import { pack, Restic, ShadowGit } from "./peers.ts";
import { tell, Times } from "./rounds.ts";
import { settle, sizeOf, type Stand } from "./stand.ts";

export interface Kept {
  ours: Ours;
  restic: Restic;
  git: ShadowGit;
  gzip: string;
  zstd: string;
}

export interface FirstFull {
  times: Times<"ours" | "gzip" | "zstd" | "restic" | "git">;
  sizes: { ours: number; gzip: number; zstd: number; restic: number };
  kept: Kept;
}

export const firstFull = async (
  stand: Stand,
  rounds: number,
): Promise<FirstFull> => {
  const times: FirstFull["times"] = new Times();
  // Slow and of interest for its size alone: once.
  const gzip = `${stand.root}.tar.gz`;
  times.add("gzip", run(pack(stand.root, gzip, "gzip")));
  let kept: Kept | null = null;
  for (let round = 0; round < rounds; round += 1) {
    tell(`${stand.name}: first full, round ${round + 1} of ${rounds}`);
    await kept?.ours.close();
    kept = await oneRound(stand, gzip, times);
  }
  if (kept === null) throw new Error("there was no round");
  const { ours, restic, zstd } = kept;
  const sizes = {
    ours: sizeOf(ours.folder),
    gzip: sizeOf(gzip),
    zstd: sizeOf(zstd),
    restic: sizeOf(restic.repository),
  };
  return { times, sizes, kept };
};

const oneRound = async (
  stand: Stand,
  gzip: string,
  times: FirstFull["times"],
): Promise<Kept> => {
  const folder = stand.freshFolder();
  const { root } = stand;
  const restic = new Restic(folder);
  const git = new ShadowGit(folder);
  const zstd = join(folder, "archive.tar.zst");
  run(restic.init());
  run(git.init(root));
  const ours = await Ours.open(folder);

  settle();
  times.add("zstd", run(pack(root, zstd, "zstd -3")));
  settle();
  times.add("ours", (await ours.save(root)).seconds);
  settle();
  times.add("restic", run(restic.backup(root)));
  settle();
  times.add("git", runAll(git.save(root)));
  settle();
  return { ours, restic, git, gzip, zstd };
};
