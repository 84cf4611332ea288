import {
  cancelPrompt,
  isWrongState,
} from "../../client/prompt/cancel-prompt.ts";
import type { Client } from "../../client/client.ts";
import type { Session } from "../../contract/session/session.ts";
import type { Work } from "./work.ts";

/** Cancels the turn of a session; where none has begun, the prompts that would begin one. */
export const stopWork = async (
  client: Client,
  { id, queued_prompts }: Pick<Session, "id" | "queued_prompts">,
  key: string,
): Promise<void> => {
  try {
    await client.cancelTurn(id, { key });
  } catch (error) {
    if (!isWrongState(error) || queued_prompts.length === 0) throw error;
    for (const prompt of queued_prompts)
      await cancelPrompt(client, id, prompt.id);
  }
};

export const cancelWork = (
  client: Client,
  { session_id, prompt_id }: Pick<Work, "session_id" | "prompt_id">,
): Promise<void> => cancelPrompt(client, session_id, prompt_id);
