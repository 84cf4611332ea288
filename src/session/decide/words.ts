/** What the agent says and shows. No event and no message holds more than `MAX_TEXT` of it. */
import { messageId, type MessageId } from "../../contract/base/id.ts";
import type { Message } from "../../contract/session/message.ts";
import type { ReportItem } from "../../contract/link/report.ts";
import { fitting, MAX_TEXT, piecesOf } from "../../contract/base/text-limit.ts";
import type { Tool } from "../../contract/agent/tool.ts";
import { messageOfTool } from "../state/tool-calls.ts";
import type { Draft } from "./draft.ts";

/** Text is added to the message that is open; what does not fit goes on in another, which says so. */
export const recordText = (
  draft: Draft,
  { role, text }: Extract<ReportItem, { kind: "text" }>,
): void => {
  const open = draft.state.output.open_message;
  if (open?.role !== role) return addMessages(draft, { role, text });
  const fits = fitting(text, MAX_TEXT - open.characters);
  if (fits > 0 || text === "")
    draft.emit({
      type: "session.message.updated",
      data: { id: open.id, append: text.slice(0, fits) },
    });
  const rest = text.slice(fits);
  if (rest !== "") addMessages(draft, { role, text: rest, continues: open.id });
};

const addMessages = (
  draft: Draft,
  { role, text, continues }: Pick<Message, "role" | "text" | "continues">,
): void => {
  let before = continues;
  for (const piece of piecesOf(text))
    before = addMessage(draft, {
      role,
      text: piece,
      ...(before === undefined ? {} : { continues: before }),
    });
};

/** A call that is known is updated, any other gets a message. A long output comes piece by piece, the status with the last. */
export const recordTool = (draft: Draft, tool: Tool): void => {
  const updates = inPieces(tool);
  const text = tool.title ?? tool.id;
  const id =
    messageOfTool(draft.state.output.tools, tool.id) ??
    addMessage(draft, { role: "tool", text, tool: updates.shift() ?? tool });
  for (const update of updates)
    draft.emit({ type: "session.tool.updated", data: { id, tool: update } });
};

const inPieces = (tool: Tool): Tool[] => {
  const { id, output, more_output, status, ...others } = tool;
  const pieces = piecesOf((output ?? "") + (more_output ?? ""));
  if (pieces.length === 1) return [tool];
  return pieces.map((piece, i) => ({
    id,
    ...(i === 0 ? others : {}),
    ...(i === 0 && output !== undefined
      ? { output: piece }
      : { more_output: piece }),
    ...(i === pieces.length - 1 && status !== undefined ? { status } : {}),
  }));
};

const addMessage = (
  draft: Draft,
  message: Pick<Message, "role" | "text" | "tool" | "continues">,
): MessageId => {
  const id = messageId(draft.nextSeq);
  const turn = draft.state.turns.last;
  draft.emit({
    type: "session.message.added",
    data: { message: { id, turn, ...message, at: draft.at } },
  });
  return id;
};
