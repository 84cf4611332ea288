/** How an agent will know what was said up to a checkpoint. */
import { canResumeNatively } from "../../../contract/agent/agent.ts";
import type {
  Memory,
  RewindPlan,
} from "../../../contract/session/checkpoint.ts";
import type { Restorable } from "../../../session/state/moment.ts";
import type { State } from "../../../session/state/state.ts";
import type { Store } from "../../ports/store.ts";
import { soundEventsOf } from "../../sessions/sound-state.ts";

export interface Remembered {
  conversation: RewindPlan["conversation"];
  /** Its own session as it was then, for a new id. */
  memory: Memory | null;
}

export const rememberedAt = async (
  store: Store,
  state: State,
  checkpoint: Restorable,
): Promise<Remembered> => {
  const { abilities } = state.agent;
  const { agent_state, token, cwd, turn, last_message_id } = checkpoint;
  if (
    agent_state !== null &&
    token !== null &&
    turn > 0 &&
    canResumeNatively(abilities) &&
    (await isOfAgent(store, state, checkpoint))
  )
    return {
      conversation: "native",
      memory: {
        tree: agent_state,
        token,
        ...(last_message_id !== undefined && { last_message_id }),
        cwd,
        renamed: true,
      },
    };
  return {
    conversation: abilities.injection && turn > 0 ? "injected" : "fresh",
    memory: null,
  };
};

/** What one agent wrote down is nothing to another. */
const isOfAgent = async (
  store: Store,
  { id, agent: { definition } }: State,
  { agent, seq }: Restorable,
): Promise<boolean> => {
  if (agent !== undefined) return agent === definition.agent;
  for await (const { type } of soundEventsOf(store, id, seq))
    if (type === "session.handed_off") return false;
  return true;
};
