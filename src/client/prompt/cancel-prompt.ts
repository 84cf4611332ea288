import { RepriseError } from "../../contract/problem/problem.ts";
import type { Client } from "../client.ts";

/**
 * Takes a prompt back: out of the queue, by cancelling its turn, or, where its turn was cut off and would go on by itself, by
 * dropping it. A turn of another prompt is left alone, and what is over stays as it is.
 */
export const cancelPrompt = async (
  client: Client,
  session: string,
  prompt: string,
): Promise<void> => {
  const { state } = await client.showPrompt(session, prompt);
  try {
    if (state === "queued") await client.cancelPrompt(session, prompt);
    else if (state === "delivered" || state === "running")
      await client.cancelTurn(session);
    else if (state === "interrupted" && (await goesOn(client, session, prompt)))
      await client.resolvePrompt(session, prompt, "drop");
  } catch (error) {
    // It ended, or began, in between. A turn that began is cancelled as one.
    if (!isWrongState(error)) throw error;
    if (state === "queued") await cancelPrompt(client, session, prompt);
  }
};

const goesOn = async (
  client: Client,
  session: string,
  prompt: string,
): Promise<boolean> => {
  const { unresolved_prompts } = await client.showSession(session);
  const cut = unresolved_prompts.find(({ id }) => id === prompt);
  return (cut?.goes_on ?? null) !== null;
};

export const isWrongState = (error: unknown): boolean =>
  error instanceof RepriseError && error.code === "wrong_state";
