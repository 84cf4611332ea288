/** Changes to a session and to the settings of its agent. */
import type { SettingName } from "../../contract/agent/agent-settings.ts";
import type { EventDataOf } from "../../contract/event/event.ts";

export interface Changes {
  /** The number of the newest that an agent had to confirm. */
  last: number;
  /** Those that the agent has not confirmed yet, the oldest first. */
  pending: readonly PendingChange[];
  /** The newest that it refused, and the events that say why. */
  refused: readonly { change: number; seq: number }[];
  /** What was changed although the agent that runs could not be told. */
  at_next_start: readonly SettingName[];
}

export type PendingChange = EventDataOf<"session.change.requested">;

export const noChanges: Changes = {
  last: 0,
  pending: [],
  refused: [],
  at_next_start: [],
};

export const pendingChange = (
  { pending }: Changes,
  change: number,
): PendingChange | undefined => pending.find((each) => each.change === change);
