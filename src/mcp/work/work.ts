/** One prompt that a call waits for. A task handle and a form's state name it, so that any later call finds it again. */
import * as z from "zod";
import type { Client } from "../../client/client.ts";
import { messageId, PromptId, SessionId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Session } from "../../contract/session/session.ts";
import { fromLastEvent } from "../base/last-event.ts";

export const Work = z.object({
  session_id: SessionId,
  prompt_id: PromptId,
  agent: z.string(),
  isContinuation: z.boolean(),
  /** How many messages the session had before this prompt: counted when it is given, or when a later call tells its result. */
  existingHistory: z.number().int().optional(),
});
export type Work = z.infer<typeof Work>;

const TASK_ID = /^(ses_[0-9a-z]{26})\.(prm_[0-9a-z]{26})$/;

export const taskIdOf = ({ session_id, prompt_id }: Work): string =>
  `${session_id}.${prompt_id}`;

/** Null for an id that is none of ours. */
export const namedByTask = (
  taskId: string,
): Pick<Work, "session_id" | "prompt_id"> | null => {
  const [, session, prompt] = TASK_ID.exec(taskId) ?? [];
  const session_id = SessionId.safeParse(session);
  const prompt_id = PromptId.safeParse(prompt);
  return session_id.success && prompt_id.success
    ? { session_id: session_id.data, prompt_id: prompt_id.data }
    : null;
};

/** What is known of a prompt whose call is long over. Clients ask often: the conversation before it is not read for it. */
export const workOf = async (
  client: Client,
  session: Session,
  promptId: PromptId,
): Promise<Work> => {
  const { turn } = await client.showPrompt(session.id, promptId);
  const oldest = { after: messageId(0), limit: 1 };
  const [first] = (await client.listMessages(session.id, oldest)).messages;
  return {
    session_id: session.id,
    prompt_id: promptId,
    agent: session.agent,
    isContinuation: first !== undefined && (turn === null || first.turn < turn),
  };
};

/** How many messages there are before a turn; null means all. */
export const messagesBefore = async (
  client: Client,
  session: SessionId,
  turn: number | null,
): Promise<number> => {
  let count = 0;
  for await (const message of client.allMessages(session)) {
    if (turn !== null && message.turn >= turn) break;
    count += 1;
  }
  return count;
};

/** The prompt that a session was given last. */
export const latestPrompt = async (
  client: Client,
  session: Session,
): Promise<PromptId> => {
  const latest =
    session.queued_prompts.at(-1)?.id ??
    (await fromLastEvent(client, session, (event) =>
      event.type === "session.prompt.queued" ? event.data.prompt_id : null,
    ));
  if (latest !== null) return latest;
  throw new RepriseError(
    "prompt_not_found",
    `Session ${session.id} was never given a prompt: there is nothing to wait for.`,
  );
};
