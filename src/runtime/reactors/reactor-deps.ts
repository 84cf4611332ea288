import type { Gate } from "../../kit/time/gate.ts";
import type { Later } from "../../kit/time/later.ts";
import type { AgentSessionDeps } from "../callers/agent-session.ts";
import type { Captures } from "../places/captures.ts";
import type { Engine } from "../sessions/session-journal.ts";
import type { HeldPlaces } from "../places/held-places.ts";
import type { Places } from "../places/places.ts";
import type { Clock, Ids, Log } from "../ports/home.ts";

/** What reactors work with. */
export interface ReactorDeps extends AgentSessionDeps {
  engine: Engine;
  places: Places;
  held: HeldPlaces;
  ids: Ids;
  clock: Clock;
  log: Log;
  later: Later;
  /** How many agents may be coming up at a time. */
  starts: Gate;
  captures: Captures;
  /** How long an agent may take until it takes prompts. */
  startDeadlineMs: number;
  /** How long it is tried to hand over a prompt when nothing says that it may pass. */
  deliveryMs: number;
  /** How long a checkpoint may keep the next prompt waiting. */
  checkpointMs: number;
  /** A workspace that holds more is not captured; agentctl has a limit of its own when this is not said. */
  maxCheckpointBytes?: number;
}
