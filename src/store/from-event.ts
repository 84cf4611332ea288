/** Prompts and permission requests: their row says how they stand, the event that it names says what they are. */
import { limitsOf } from "../contract/agent/prompt-limits.ts";
import type { Event } from "../contract/event/event.ts";
import type { PromptId, SessionId } from "../contract/base/id.ts";
import { Permission } from "../contract/agent/permission.ts";
import { Prompt } from "../contract/session/prompt.ts";

export const promptFrom = (
  event: Event | undefined,
  row: {
    id: PromptId;
    session_id: SessionId;
    turn: number | null;
    state: string;
  },
): Prompt => {
  if (event?.type !== "session.prompt.queued")
    throw new Error(`${row.id} is not in the journal of ${row.session_id}`);
  const { id, session_id, turn, state } = row;
  const { text, limits } = event.data;
  return Prompt.parse({
    id,
    session_id,
    turn,
    state,
    text,
    ...limitsOf({ limits }),
  });
};

export const permissionFrom = (
  event: Event | undefined,
  row: { state: string; option_id: string | null; reason: string | null },
): Permission => {
  if (event?.type !== "session.permission.requested")
    throw new Error("a permission request is not in the journal");
  const { state, option_id, reason } = row;
  return Permission.parse({
    ...event.data.permission,
    state,
    ...(option_id === null ? {} : { option_id }),
    ...(reason === null ? {} : { reason }),
  });
};
