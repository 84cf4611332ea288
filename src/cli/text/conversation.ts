import type { Message } from "../../contract/session/message.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { oneLine, sanitize } from "../terminal/sanitize.ts";
import { marked } from "../terminal/marked.ts";
import type { Palette } from "../terminal/palette.ts";
import { shortName, toolOutput } from "./tool.ts";
import { type TurnEnd, isTurnEnd, turnEnd } from "./turn-end.ts";
import { type TurningPoint, turningPoint } from "./turning-point.ts";

/** What stands between messages. */
export type Mark = TurnEnd | TurningPoint;

/**
 * The conversation, turn by turn, with a line where a turn did not go well, and where it went on from another place. One
 * message after the other goes in, so that a long conversation is never held as a whole.
 */
export class ConversationText {
  readonly #palette: Palette;
  #turn = -1;
  /** The message at the end of what was told, with the white space at its end, which is told only if the text goes on. */
  #last: { id: string; trailing: string } | null = null;

  constructor(palette: Palette) {
    this.#palette = palette;
  }

  /** A message, after what happened before it. */
  tell(message: Message, marks: readonly Mark[]): string {
    const { continues, turn } = message;
    if (continues !== undefined && continues === this.#last?.id)
      return this.#said(message, "", this.#last.trailing);
    const before = this.mark(marks);
    if (isTold(message, marks)) return before;
    const heading =
      turn === this.#turn
        ? ""
        : this.#palette.dim(
            `${this.#turn === -1 ? "" : "\n"}── turn ${turn}\n`,
          );
    this.#turn = turn;
    return before + heading + this.#paragraph(message);
  }

  /** What happened behind the last message. */
  mark(marks: readonly Mark[]): string {
    const end = this.#last === null ? "" : "\n";
    this.#last = null;
    return (
      end +
      marks
        .filter((mark) => !isCompleted(mark))
        .map((mark) => `${markLine(mark, this.#palette)}\n`)
        .join("")
    );
  }

  #paragraph(message: Message): string {
    const { role, text } = message;
    const { bold, yellow } = this.#palette;
    switch (role) {
      case "user":
        return `${bold(marked("> ", text))}\n`;
      case "agent":
      case "thought":
        return this.#said(message, markOf(message));
      case "tool":
        return toolCall(message, this.#palette);
      case "notice":
        return `${yellow(marked("! ", text))}\n`;
      default:
        return unreachable(role);
    }
  }

  /** Text that may go on in the next message: its end is not told before that is known. */
  #said(message: Message, first: string, before = ""): string {
    const clean = before + sanitize(message.text);
    const trimmed = clean.trimEnd();
    this.#last = { id: message.id, trailing: clean.slice(trimmed.length) };
    const mark = markOf(message);
    const lines = first + trimmed.replaceAll("\n", `\n${mark}`);
    return message.role === "thought" ? this.#palette.dim(lines) : lines;
  }
}

/** The line at the end of the turn shows the agent's error already; the notice is for readers who see only messages. */
const isTold = ({ code }: Message, marks: readonly Mark[]): boolean => {
  const last = marks.at(-1);
  return (
    code === "agent_error" &&
    last?.type === "session.turn.ended" &&
    last.data.error !== null
  );
};

const markOf = ({ role }: Message): string => (role === "thought" ? "· " : "");

const isCompleted = (mark: Mark): boolean =>
  mark.type === "session.turn.ended" && mark.data.outcome === "completed";

const markLine = (mark: Mark, palette: Palette): string =>
  isTurnEnd(mark) ? turnEnd(mark, palette) : palette.yellow(turningPoint(mark));

const toolCall = ({ text, tool }: Message, palette: Palette): string => {
  const status = tool?.status === undefined ? "" : `  ${tool.status}`;
  const line = `${palette.cyan("▸")} ${tool === undefined ? oneLine(text) : shortName({ title: text, ...tool })}${palette.dim(status)}\n`;
  const output = tool === undefined ? "" : toolOutput(tool);
  return output === "" ? line : `${line}${palette.dim(output)}\n`;
};
