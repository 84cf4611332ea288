/** The whole workspace into an empty directory. What we restored is looked at each time. */
import { run } from "./command.ts";
import type { Kept } from "./first-full.ts";
import { copy, unpack } from "./peers.ts";
import { tell, Times } from "./rounds.ts";
import { assertSame } from "./same.ts";
import type { Stand } from "./stand.ts";

export type Restores = Times<"ours" | "gzip" | "zstd" | "restic" | "cp">;

export const restored = async (
  stand: Stand,
  kept: Kept,
  rounds: number,
): Promise<Restores> => {
  const times: Restores = new Times();
  const { tree } = await kept.ours.save(stand.root);
  for (let round = 0; round < rounds; round += 1) {
    tell(`${stand.name}: full restore, round ${round + 1} of ${rounds}`);
    const { gzip, zstd, restic } = kept;
    times.add("gzip", run(unpack(gzip, stand.freshGround(), "gzip")));
    const ground = stand.freshGround();
    times.add("ours", await kept.ours.restore(tree, ground));
    assertSame(ground, stand.root);
    times.add("zstd", run(unpack(zstd, stand.freshGround(), "zstd -3")));
    times.add("restic", run(restic.restore(stand.freshGround())));
    times.add("cp", run(copy(stand.root, stand.freshGround())));
  }
  return times;
};
