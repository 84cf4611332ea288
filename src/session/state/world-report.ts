import type { InstructionFile } from "../../contract/agent/agent.ts";

/**
 * What agentctl knows of an execution. Either it lives, or it is gone: then it has ended and agentctl tells how, or it is
 * unknown there. Another place is one that answers at the same address with another `place_id` (REC-61).
 */
export type ExecutionSeen =
  "alive" | "ended" | "unknown" | "unknown_at_another_place";

/** The same for who need not know how it went. */
export type Liveness = "alive" | "gone";

/** What can be seen of a session from outside its journal. Where nobody could look there is none. */
export interface WorldReport {
  /** The newest execution's agent. */
  agent: Liveness;
  workspace: "directory" | "other" | "missing";
  installed: boolean;
  /** Whether anybody says how its agent is launched: we, or the configuration. Undefined when nobody looked. */
  defined?: boolean;
  /** The agent's own session file; `unknown` when it keeps none that we know of. */
  transcript: "present" | "missing" | "unknown";
  /** Processes that the newest ended execution left behind. */
  survivors: readonly number[];
  /** Files that tell agents how to work there; undefined when nobody said. */
  instruction_files?: readonly InstructionFile[] | undefined;
  /** The highest epoch that the session has had there: more than the journal knows where that is from an older copy. */
  epoch?: number | undefined;
}
