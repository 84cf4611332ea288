import type { Abilities } from "../../contract/agent/agent.ts";
import type { Correction } from "./agent.ts";

/** What an agent of this version can really do. The handshake of an agent without a version is believed. */
export const corrected = (
  handshake: Abilities,
  corrections: readonly Correction[],
  version: string | null,
): Abilities => {
  const abilities = { ...handshake };
  for (const { upTo, without } of corrections)
    if (version !== null && !isNewer(version, upTo))
      for (const ability of without) abilities[ability] = false;
  return abilities;
};

/** By numbers, part by part; what follows a dash does not count. */
const isNewer = (version: string, than: string): boolean => {
  const [one, other] = [partsOf(version), partsOf(than)];
  const at = one.findIndex((part, n) => part !== (other[n] ?? 0));
  return at !== -1 && (one[at] ?? 0) > (other[at] ?? 0);
};

const partsOf = (version: string): number[] =>
  (version.split("-")[0] ?? "").split(".").map(Number);
