import type { Memory } from "../../contract/session/checkpoint.ts";
import type { State } from "./state.ts";

/** What the newest checkpoint saved of the session that the agent would resume; of another one it is no use. */
export const savedMemory = ({
  checkpoints: { newest: checkpoint },
  agent: { token },
}: Pick<State, "checkpoints" | "agent">): Memory | null => {
  const tree = checkpoint?.agent_state ?? null;
  return tree === null || token === null || checkpoint?.token !== token
    ? null
    : {
        tree,
        token,
        ...(checkpoint.last_message_id !== undefined && {
          last_message_id: checkpoint.last_message_id,
        }),
        cwd: checkpoint.cwd,
        renamed: false,
      };
};
