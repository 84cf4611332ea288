/** How an agent will know what was said up to a checkpoint. */
import { canResumeNatively } from "../../contract/agent.ts";
import type { Memory, RewindPlan } from "../../contract/checkpoint.ts";
import type { SessionId } from "../../contract/id.ts";
import type { Restorable } from "../../session/moment.ts";
import type { State } from "../../session/state.ts";
import { eventsOf } from "../journal-reader.ts";
import type { Store } from "../ports.ts";

export interface Remembered {
  conversation: RewindPlan["conversation"];
  /** Its own session as it was then, for a new id. */
  memory: Memory | null;
}

export const rememberedAt = async (
  store: Store,
  state: State,
  { agent_state, token, cwd, turn, seq }: Restorable,
): Promise<Remembered> => {
  const { abilities } = state;
  if (
    agent_state !== null &&
    token !== null &&
    turn > 0 &&
    canResumeNatively(abilities) &&
    !(await hasChangedAgent(store, state.id, seq))
  )
    return {
      conversation: "native",
      memory: { tree: agent_state, token, cwd, renamed: true },
    };
  return {
    conversation: abilities.injection && turn > 0 ? "injected" : "fresh",
    memory: null,
  };
};

/** What one agent wrote down is nothing to another. */
const hasChangedAgent = async (
  store: Store,
  session: SessionId,
  since: number,
): Promise<boolean> => {
  for await (const { type } of eventsOf(store, session, since))
    if (type === "session.handed_off") return true;
  return false;
};
