/**
 * Whether what is asked of a session needs a server that listens to its agent (REC-100).
 *
 * A server does not listen to the agents of an earlier one at once: start-up may not have come to them yet, and with
 * `recovery: "off"` it never does. Orders arrive all the same, but what comes of them is recorded only by a server that
 * listens. An agent that is stopped would be gone, and its session would wait for its end for ever.
 */
import type { SessionId } from "../../contract/base/id.ts";
import { unreachable } from "../../kit/unreachable.ts";
import type { OperationDeps } from "./operation-deps.ts";

type When =
  /** It is decided by whether the agent lives, so that has to be known. */
  | "first"
  /** It can be recorded at once. */
  | "meanwhile"
  /** Recovery is what is asked for. */
  | "itself";

/** Everything that gives orders to an agent. What reads, and what takes back a prompt that waits, is not here. */
const whenAttached = {
  resume: "first",
  recover: "itself",
  prompt: "meanwhile",
  change: "meanwhile",
  resolve: "meanwhile",
  permit: "meanwhile",
  "turn.cancel": "meanwhile",
  pause: "meanwhile",
  "session.end": "meanwhile",
  rewind: "meanwhile",
  handoff: "meanwhile",
  delete: "meanwhile",
  undelete: "meanwhile",
} as const satisfies Record<string, When>;

/** Their names are in receipts: they stay as they are. */
export type AgentOperation = keyof typeof whenAttached;

export const attachAgent = async (
  { recovery }: Pick<OperationDeps, "recovery">,
  operation: AgentOperation,
  session: SessionId,
): Promise<void> => {
  const when: When = whenAttached[operation];
  switch (when) {
    case "first":
      return recovery.touch(session);
    case "meanwhile":
      return recovery.touchSoon(session);
    case "itself":
      return;
    default:
      return unreachable(when);
  }
};
