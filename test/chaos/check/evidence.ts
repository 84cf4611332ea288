import type { Event } from "../../../src/contract/event/event.ts";
import type { ChaosHouse } from "../house.ts";
import type { Play } from "../play.ts";
import type { Violations } from "../violation.ts";
import type { Restored } from "./restored.ts";

/** All there is to judge one session by. */
export interface Evidence {
  house: ChaosHouse;
  play: Play;
  journal: readonly Event[];
  /** Those of all sessions. */
  journals: ReadonlyMap<Play, readonly Event[]>;
  vault: Restored;
  violations: Violations;
}

export type Check = (evidence: Evidence) => void | Promise<void>;
