import type { Event } from "../contract/event/event.ts";
import type { MessageStart } from "../runtime/ports/store.ts";

/** The message that begins with an event; null when none does. */
export const startOf = (
  event: Event,
): Pick<MessageStart, "role" | "turn" | "continues"> | null => {
  if (event.type === "session.notice")
    return { role: "notice", turn: null, continues: false };
  if (event.type !== "session.message.added") return null;
  const { role, turn, continues } = event.data.message;
  return { role, turn, continues: continues !== undefined };
};
