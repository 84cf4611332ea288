import type { Message } from "../../contract/message.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { oneLine } from "../sanitize.ts";
import { marked } from "./marked.ts";
import type { Palette } from "./palette.ts";
import { toolOutput } from "./tool.ts";
import { type TurnEnd, isTurnEnd, turnEnd } from "./turn-end.ts";
import { type TurningPoint, turningPoint } from "./turning-point.ts";

/** What stands between messages. */
type Mark = TurnEnd | TurningPoint;

/** The conversation, turn by turn, with a line where a turn did not go well, and where it went on from another place. */
export const conversation = (
  messages: readonly Message[],
  marks: readonly Mark[],
  palette: Palette,
): string => {
  if (messages.length === 0) return "Nothing has been said yet.\n";
  const waiting = marks.filter((mark) => !isCompleted(mark));
  const marksBefore = (seq: number): string =>
    waiting
      .splice(0, waiting.filter((mark) => mark.seq < seq).length)
      .map((mark) => `${markLine(mark, palette)}\n`)
      .join("");
  let turn = -1;
  const told = messages.map((message) => {
    const before = marksBefore(seqOf(message));
    const heading =
      message.turn === turn
        ? ""
        : palette.dim(`${turn === -1 ? "" : "\n"}── turn ${message.turn}\n`);
    turn = message.turn;
    return before + heading + paragraph(message, palette);
  });
  return told.join("") + marksBefore(Number.POSITIVE_INFINITY);
};

const isCompleted = (mark: Mark): boolean =>
  mark.type === "session.turn.ended" && mark.data.outcome === "completed";

const markLine = (mark: Mark, palette: Palette): string =>
  isTurnEnd(mark) ? turnEnd(mark, palette) : palette.yellow(turningPoint(mark));

/** A message is named after the event that added it. */
const seqOf = ({ id }: Message): number => Number(id.slice("msg_".length));

const paragraph = (message: Message, palette: Palette): string => {
  const { role, text } = message;
  switch (role) {
    case "user":
      return `${palette.bold(marked("> ", text))}\n`;
    case "agent":
      return `${marked("", text)}\n`;
    case "thought":
      return `${palette.dim(marked("· ", text))}\n`;
    case "tool":
      return toolCall(message, palette);
    case "notice":
      return `${palette.yellow(marked("! ", text))}\n`;
    default:
      return unreachable(role);
  }
};

const toolCall = ({ text, tool }: Message, palette: Palette): string => {
  const status = tool?.status === undefined ? "" : `  ${tool.status}`;
  const line = `${palette.cyan("▸")} ${oneLine(tool?.title ?? text)}${palette.dim(status)}\n`;
  const output = tool === undefined ? "" : toolOutput(tool);
  return output === "" ? line : `${line}${palette.dim(output)}\n`;
};
