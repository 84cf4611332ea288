import { join } from "node:path";
import { DAMAGE_FILE, DamageFile } from "../../contract/session/damage.ts";
import { readPlain } from "../../kit/files/read-plain.ts";
import { type Finding, ok, warn } from "./check.ts";

const VERIFY = "reprise gc --verify";
/** It names a few places; a vault keeps it small. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Damage among the checkpoints that is known, whoever met it: a restore, a checkpoint, or a reading of everything. */
export const checkCheckpoints = async (home: string): Promise<Finding> => {
  const path = join(home, "blobs", DAMAGE_FILE);
  const text = await readPlain(path, MAX_BYTES).catch(() => "");
  if (text === null) return ok("checkpoints", "no damage is known");
  const known = DamageFile.safeParse(parseJson(text));
  if (!known.success)
    return warn("checkpoints", `${path} cannot be read`, VERIFY);
  return verdict(known.data);
};

const verdict = ({ places, lost_packs, verified }: DamageFile): Finding => {
  const last = verified?.at ?? "";
  const [since] = [...places, ...lost_packs]
    .map(({ found_at }) => found_at)
    .filter((at) => at > last)
    .toSorted();
  if (since !== undefined)
    return warn(
      "checkpoints",
      `damage was found (${since}); which checkpoints it concerns is not known yet`,
      VERIFY,
    );
  if (verified !== null && verified.broken_trees > 0)
    return warn(
      "checkpoints",
      `some cannot be restored as they were (${last}): reading everything again names them`,
      VERIFY,
    );
  return verified === null
    ? ok("checkpoints", "no damage is known")
    : ok("checkpoints", `all could be restored when they were read (${last})`);
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
