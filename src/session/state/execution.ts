import type { ExecutionId, PlaceId } from "../../contract/base/id.ts";
import type { Rebuild } from "../../contract/session/rebuild.ts";
import type { OpenFailure } from "../../contract/agent/opening.ts";
import type { PlaceRef } from "../../contract/base/place.ts";
import type { Resume, ResumeTrigger } from "../../contract/agent/resume.ts";
import type { StateReason } from "../../contract/session/state.ts";
import type { Usage } from "../../contract/base/usage.ts";

/** One life of an agent process, while any of its processes may still be there. */
export interface Execution {
  id: ExecutionId;
  epoch: number;
  place: PlaceRef;
  /** Of the agentctl that it was started by, or first found by; null when that did not say. */
  place_id: PlaceId | null;
  /** Bytes of the agent's stdout that the journal stands for. */
  offset: number;
  path: Resume["path"];
  opening:
    | { kind: "native"; token: string }
    /** `failed`: why the agent's own session is not asked for, where there is one. */
    | { kind: "new"; failed: OpenFailure | null };
  /** What had to be there before the agent started. */
  rebuild: Rebuild | null;
  /** The label of the credentials that it was started with. */
  credentials?: string;
  /** Labels of prompts that it may be given although it runs without their credentials: nobody has those any more. */
  without?: readonly string[];
  /** Tokens of its turns so far. */
  spent: Usage | null;
  phase:
    | { kind: "starting" }
    | { kind: "ready" }
    /** `again`: someone asked for the agent meanwhile, so bring it back when it is gone. */
    | {
        kind: "stopping";
        reason: StateReason;
        again: ResumeTrigger | null;
        /** What went wrong, where that is the reason. */
        message?: string;
      };
}
