import type { Client } from "../../client/client.ts";
import type { SessionId } from "../../contract/id.ts";
import type { ExitCode } from "../exit-code.ts";
import { cursorOf } from "../follow/cursor.ts";
import { follow } from "../follow/follow.ts";
import { progressOf } from "../follow/progress.ts";
import { answer } from "../print.ts";
import { comeBackCommand } from "../text/next-command.ts";
import type { World } from "../world.ts";

/** Gives a session a prompt and, if wanted, watches what becomes of it. */
export const sendPrompt = async (
  world: World,
  client: Client,
  id: SessionId,
  order: { text: string; key?: string | undefined; follow: boolean },
): Promise<ExitCode> => {
  // The cursor is taken first, so that nothing between sending and watching is missed.
  const before = order.follow ? await client.showSession(id) : null;
  const prompt = await client.queuePrompt(
    id,
    { text: order.text },
    { key: order.key },
  );
  if (before === null) {
    answer(
      world,
      prompt,
      () =>
        `${prompt.id} is ${prompt.state} in ${id}.\nWatch it with \`${comeBackCommand(id)}\`.`,
    );
    return 0;
  }
  // With a key that was used before nothing new happens; `until` says up to where there is something to see.
  const { last_seq: until } = await client.showSession(id);
  return follow(world, client, {
    session: id,
    after: await cursorOf(client, before),
    progress: progressOf(before),
    until,
  });
};
