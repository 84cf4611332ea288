import type { Client } from "../../../client/client.ts";
import { beginOf } from "../../../client/turn/turn-record.ts";
import type { ContentBlock } from "../../../contract/base/content.ts";
import type { SessionId } from "../../../contract/base/id.ts";
import type { Prompt, PromptState } from "../../../contract/session/prompt.ts";
import type { PromptInput } from "../../../contract/api/request.ts";
import type { Session } from "../../../contract/session/session.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import { callerEnv } from "../../../local/caller-env.ts";
import type { ExitCode } from "../../parsing/exit-code.ts";
import { cursorOf } from "../../follow/cursor.ts";
import { follow } from "../../follow/follow.ts";
import { awaiting, nothingYet, progressOf } from "../../follow/progress.ts";
import { answer } from "../../terminal/print.ts";
import { comeBackCommand } from "../../text/next-command.ts";
import type { World } from "../../terminal/world.ts";

/** Gives a session a prompt and, if wanted, watches its turn. */
export const sendPrompt = async (
  world: World,
  client: Client,
  id: SessionId,
  order: {
    text: string;
    attachments?: readonly ContentBlock[];
    limits?: PromptInput["limits"];
    key?: string | undefined;
    follow: boolean;
  },
): Promise<ExitCode> => {
  // The cursor is taken first, so that nothing between sending and watching is missed.
  const before = order.follow ? await client.showSession(id) : null;
  const { text, attachments = [], limits, key } = order;
  const sent = await client.queuePrompt(
    id,
    {
      ...asPrompt(text, attachments),
      ...(limits !== undefined && { limits }),
      ...(await callerEnv(world)),
    },
    { key },
  );
  // A key that was used before is answered as it was then: how its prompt stands now has to be asked for.
  const prompt =
    order.key === undefined ? sent : await client.showPrompt(id, sent.id);
  if (before === null) {
    answer(world, sent, () => receipt(world, prompt));
    return 0;
  }
  if (wasOver(prompt, before)) return tellAgain(world, client, prompt);
  const { last_seq: until } = await client.showSession(id);
  return follow(world, client, {
    session: id,
    after: await cursorOf(client, before),
    progress: awaiting(progressOf(before), prompt.id),
    until,
  });
};

/** Words alone stay words, so that a key that was used for them before still fits. */
export const asPrompt = (
  text: string,
  attachments: readonly ContentBlock[],
): PromptInput =>
  attachments.length === 0
    ? { text }
    : { content: [{ type: "text", text }, ...attachments] };

const receipt = (world: World, { id, session_id, state }: Prompt): string =>
  isOver(state)
    ? `${id} is ${state} already; nothing was sent again.`
    : `${id} is ${state} in ${session_id}.\nWatch it with \`${comeBackCommand(world.program, session_id)}\`.`;

/** Turns are numbered in order: one that had ended before was not begun by us. */
const wasOver = ({ state, turn }: Prompt, before: Session): boolean =>
  isOver(state) && (turn === null || turn <= before.turn_count);

/** What became of a prompt that was given before with the same key. */
const tellAgain = async (
  world: World,
  client: Client,
  prompt: Prompt,
): Promise<ExitCode> => {
  if (!world.json) world.out.write(`${receipt(world, prompt)}\n`);
  if (prompt.turn === null) return 1;
  const session = prompt.session_id;
  return follow(world, client, {
    session,
    after: await beginOf(client, session, prompt.turn),
    progress: awaiting(nothingYet, prompt.id),
    until: 0,
  });
};

const isOver = (state: PromptState): boolean => {
  switch (state) {
    case "queued":
    case "delivered":
    case "running":
      return false;
    case "done":
    case "interrupted":
    case "uncertain":
    case "cancelled":
      return true;
    default:
      return unreachable(state);
  }
};
