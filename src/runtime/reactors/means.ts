import type { AgentOverride } from "../../contract/agent.ts";
import type { Gate } from "../../kit/gate.ts";
import type { Later } from "../../kit/later.ts";
import type { Engine } from "../engine.ts";
import type { Places } from "../places.ts";
import type { Clock, Ids, Log, Store } from "../ports.ts";

/** What reactors work with. */
export interface Means {
  engine: Engine;
  store: Store;
  places: Places;
  ids: Ids;
  clock: Clock;
  log: Log;
  later: Later;
  /** How many agents may be coming up at a time. */
  starts: Gate;
  overrides: Readonly<Record<string, AgentOverride>>;
  /** The environment every agent starts from. */
  agentEnv: Readonly<Record<string, string>>;
  /** How long an agent may take until it takes prompts. */
  startDeadlineMs: number;
}
