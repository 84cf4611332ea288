import type { Message } from "../../contract/message.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { oneLine, sanitize } from "../sanitize.ts";
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
      return `${palette.bold(indented("> ", text))}\n`;
    case "agent":
      return `${indented("", text)}\n`;
    case "thought":
      return `${palette.dim(indented("· ", text))}\n`;
    case "tool":
      return `${palette.cyan("▸")} ${oneLine(tool?.title ?? text)}${palette.dim(tool?.status === undefined ? "" : `  ${tool.status}`)}\n`;
    case "notice":
      return `${palette.yellow(indented("! ", text))}\n`;
    default:
      return unreachable(role);
  }
};

/** Every line with its mark, so that an agent cannot pass its words off as the user's or ours. */
const indented = (mark: string, text: string): string =>
  sanitize(text)
    .trimEnd()
    .split("\n")
    .map((line) => mark + line)
    .join("\n");
