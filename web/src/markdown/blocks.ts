/**
 * A text as blocks, read again as it grows. While an agent speaks, only the block that it is speaking is read again:
 *
 *   closed blocks, kept as they are │ the last block, and the line that is not complete
 *                                   └ read again with every addition
 *
 * Lines that follow a blank line do not change what is before it, once they have begun another block. The line that is not
 * complete changes what it is with every character, so it closes nothing.
 */
import type { MarkedToken, Token } from "marked";
import { isKnown } from "./known-token.ts";
import { GuardedLexer } from "./guarded-lexer.ts";

/** Texts beyond this are shown as they were written, first. */
export const MAX_FORMATTED = 64 * 1024;

export type Block = MarkedToken;

export interface Blocks {
  /** With `\n` as the only end of a line. */
  readonly text: string;
  /** All blocks. Those that are closed stay the same objects. */
  readonly blocks: readonly Block[];
  readonly closed: number;
  /** Where the text of the closed blocks ends. */
  readonly closedTo: number;
}

export const noBlocks: Blocks = {
  text: "",
  blocks: [],
  closed: 0,
  closedTo: 0,
};

/** The blocks of a text of which `before` were blocks a moment ago. */
export const blocksOf = (source: string, before: Blocks = noBlocks): Blocks => {
  const text = source.includes("\r")
    ? source.replaceAll(/\r\n?/g, "\n")
    : source;
  if (text === before.text) return before;
  // A definition gives links everywhere their address, in what was closed too.
  const kept =
    text.startsWith(before.text) && !DEFINITION.test(text) ? before : noBlocks;
  const tokens = new GuardedLexer().lex(text.slice(kept.closedTo));
  const found = placed(tokens, kept.closedTo);
  const completeTo = text.lastIndexOf("\n") + 1;
  const open = found.findLast(
    ({ start }) => start < completeTo && isAfterBlankLine(text, start),
  );
  const closing = open === undefined ? 0 : found.indexOf(open);
  return {
    text,
    blocks: [
      ...kept.blocks.slice(0, kept.closed),
      ...found.map(({ block }) => block),
    ],
    closed: kept.closed + closing,
    closedTo: closing === 0 ? kept.closedTo : (open?.start ?? kept.closedTo),
  };
};

/** The fence of a block of code that is still open: its text is not coloured before it is closed. */
export const isFenceOpen = ({ raw }: { raw: string }): boolean => {
  const [, fence] = /^ {0,3}(`{3,}|~{3,})/.exec(raw) ?? [];
  if (fence === undefined) return false;
  const lines = raw.trimEnd().split("\n");
  const last = lines.at(-1)?.trim() ?? "";
  return lines.length < 2 || !last.startsWith(fence) || /[^`~]/.test(last);
};

const DEFINITION = /^ {0,3}\[[^\]\n]+\]:/m;

/** Looks at what is before a place, without copying the text. */
const isAfterBlankLine = (text: string, at: number): boolean => {
  let ends = 0;
  for (let before = at - 1; before >= 0 && ends < 2; before -= 1)
    if (text[before] === "\n") ends += 1;
    else if (text[before] !== " " && text[before] !== "\t") return false;
  return ends === 2;
};

const placed = (
  tokens: readonly Token[],
  from: number,
): { block: Block; start: number }[] => {
  const found: { block: Block; start: number }[] = [];
  let start = from;
  for (const token of tokens) {
    if (token.type !== "space" && isKnown(token))
      found.push({ block: token, start });
    start += token.raw.length;
  }
  return found;
};
