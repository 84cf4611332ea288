import type { Message } from "../../contract/message.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { oneLine } from "../sanitize.ts";
import { marked } from "./marked.ts";
import type { Palette } from "./palette.ts";

/** The conversation, turn by turn. */
export const conversation = (
  messages: readonly Message[],
  palette: Palette,
): string => {
  if (messages.length === 0) return "Nothing has been said yet.\n";
  let turn = -1;
  return messages
    .map((message) => {
      const heading =
        message.turn === turn
          ? ""
          : palette.dim(`${turn === -1 ? "" : "\n"}── turn ${message.turn}\n`);
      turn = message.turn;
      return heading + paragraph(message, palette);
    })
    .join("");
};

const paragraph = (message: Message, palette: Palette): string => {
  const { role, text, tool } = message;
  switch (role) {
    case "user":
      return `${palette.bold(marked("> ", text))}\n`;
    case "agent":
      return `${marked("", text)}\n`;
    case "thought":
      return `${palette.dim(marked("· ", text))}\n`;
    case "tool":
      return `${palette.cyan("▸")} ${oneLine(tool?.title ?? text)}${palette.dim(tool?.status === undefined ? "" : `  ${tool.status}`)}\n`;
    case "notice":
      return `${palette.yellow(marked("! ", text))}\n`;
    default:
      return unreachable(role);
  }
};
