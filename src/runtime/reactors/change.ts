import { nothingOffered, type Offered } from "../../contract/agent/offered.ts";
import {
  settingsIn,
  withSettings,
} from "../../contract/agent/agent-settings.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import type { Intent } from "../../session/intend.ts";
import type { State } from "../../session/state/state.ts";
import { askAgentctl } from "./ask-agentctl.ts";
import type { ReactorDeps } from "./reactor-deps.ts";

/** Has agentctl change the settings of an agent that runs. What came of it is reported. */
export const change = (
  deps: ReactorDeps,
  state: State,
  { execution_id, epoch, pending }: Extract<Intent, { kind: "change" }>,
): Promise<void> =>
  askAgentctl(deps, state, async (place) => {
    const { change: number } = pending;
    const { definition, offered } = state.agent;
    try {
      await place.change({
        execution_id,
        epoch,
        change: number,
        asked: settingsIn(pending),
        definition: withSettings(definition, pending),
        offered: offered ?? UNKNOWN,
      });
    } catch (error) {
      if (!(error instanceof LinkError) || error.code !== "unknown_method")
        throw error;
      await deps.engine.issue(state.id, {
        type: "change.keep",
        change: number,
      });
    }
  });

/** What the agent offers was never told: it answers for itself. */
const UNKNOWN: Offered = { ...nothingOffered, shortened: true };
