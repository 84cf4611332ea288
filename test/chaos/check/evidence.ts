import type { Event } from "../../../src/contract/event.ts";
import type { ChaosHouse } from "../house.ts";
import type { Play } from "../play.ts";
import type { Violations } from "../violation.ts";

/** All there is to judge one session by. */
export interface Evidence {
  house: ChaosHouse;
  play: Play;
  journal: readonly Event[];
  violations: Violations;
}

export type Check = (evidence: Evidence) => void | Promise<void>;
