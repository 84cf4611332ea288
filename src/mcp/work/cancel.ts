import type { Client } from "../../client/client.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
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
      await cancelWork(client, { session_id: id, prompt_id: prompt.id });
  }
};

/** Takes a prompt back: out of the queue, or by cancelling its turn. A turn of another prompt is left alone. */
export const cancelWork = async (
  client: Client,
  { session_id, prompt_id }: Pick<Work, "session_id" | "prompt_id">,
): Promise<void> => {
  const { state } = await client.showPrompt(session_id, prompt_id);
  try {
    if (state === "queued") await client.cancelPrompt(session_id, prompt_id);
    else if (state === "delivered" || state === "running")
      await client.cancelTurn(session_id);
  } catch (error) {
    // It ended, or began, in between. A turn that began is cancelled as one.
    if (!isWrongState(error)) throw error;
    if (state === "queued") await cancelWork(client, { session_id, prompt_id });
  }
};

const isWrongState = (error: unknown): boolean =>
  error instanceof RepriseError && error.code === "wrong_state";
