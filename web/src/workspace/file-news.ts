/** When files of a workspace may have changed, as far as the session tells. */
import type { Message } from "../../../src/contract/session/message.ts";
import type { SessionView } from "../store/open-session.ts";

/** These change no files. Of all other kinds of tool calls, and of those without a kind, nobody knows. */
const harmless: ReadonlySet<string> = new Set([
  "read",
  "search",
  "think",
  "fetch",
  "switch_mode",
]);

const mayHaveChanged = ({ tool }: Message): boolean =>
  (tool?.status === "completed" || tool?.status === "failed") &&
  !harmless.has(tool.kind ?? "");

/** Another text whenever a tool call ended that may have changed files, a capture was made, or the agent began or ended to work. */
export const fileNews = ({
  session,
  messages,
}: Pick<SessionView, "session" | "messages">): string => {
  const turn = messages.at(-1)?.turn ?? 0;
  const ended = messages.filter(
    (each) => each.turn === turn && mayHaveChanged(each),
  );
  return [turn, ended.length, session.checkpoint?.id, session.state].join(" ");
};
