import { messageId, MessageId } from "../contract/id.ts";
import type { Message } from "../contract/message.ts";

type FetchPage = (query: {
  after: MessageId;
}) => Promise<{ messages: readonly Message[]; next: string | null }>;

/** Every message from the first on. A page is held at a time, however long the conversation is. */
export async function* allMessages(fetchPage: FetchPage) {
  let after: MessageId | null = messageId(0);
  while (after !== null) {
    const { messages, next }: Awaited<ReturnType<FetchPage>> = await fetchPage({
      after,
    });
    yield* messages;
    after = next === null ? null : MessageId.parse(next);
  }
}
