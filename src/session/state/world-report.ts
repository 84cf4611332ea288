import type { InstructionFile } from "../../contract/agent/agent.ts";

/** What can be seen of a session from outside its journal. There is no report where the place could not be reached. */
export interface WorldReport {
  /** The newest execution's agent. */
  agent: "alive" | "gone";
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
