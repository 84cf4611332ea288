import type { AgentOverride } from "../../contract/agent.ts";
import type { Patience } from "../../session/trouble.ts";
import type { Bulletin } from "../bulletin.ts";
import type { Engine } from "../engine.ts";
import type { Lanes } from "../lanes.ts";
import type { Places } from "../places.ts";
import type { Clock, Ids, Room, Store } from "../ports.ts";
import type { Recovery } from "../recovery.ts";

/** What operations work with. */
export interface House {
  engine: Engine;
  store: Store;
  lanes: Lanes;
  bulletin: Bulletin;
  places: Places;
  recovery: Recovery;
  ids: Ids;
  clock: Clock;
  room: Room;
  overrides: Readonly<Record<string, AgentOverride>>;
  /** Where a session without a directory of its own gets one. */
  workspaces: string;
  resumeDeadlineMs: number;
  patience: Patience;
}
