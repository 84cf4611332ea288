/** marked's lexer, held to what stays quick: its inline rules take quadratic time for many marks, its block rules recurse. */
import { Lexer, type Token, type TokensList } from "marked";

/** A paragraph with more marks than this stays as it was written: 2,000 of them take seconds. */
const MAX_MARKS = 400;
/** Quotes and lists inside each other, beyond which text stays as it was written. */
const MAX_DEPTH = 24;

export class GuardedLexer extends Lexer {
  #depth = 0;

  constructor() {
    super({ gfm: true, breaks: false });
  }

  override inline(src: string, tokens: Token[] = []): Token[] {
    if (!isCrowded(src)) return super.inline(src, tokens);
    tokens.push(plain(src));
    return tokens;
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (!isCrowded(src)) return super.inlineTokens(src, tokens);
    tokens.push(plain(src));
    return tokens;
  }

  override blockTokens(
    src: string,
    tokens?: Token[],
    lastParagraphClipped?: boolean,
  ): Token[];
  override blockTokens(
    src: string,
    tokens?: TokensList,
    lastParagraphClipped?: boolean,
  ): TokensList;
  override blockTokens(
    src: string,
    tokens: Token[] = [],
    lastParagraphClipped = false,
  ): Token[] {
    if (this.#depth >= MAX_DEPTH) {
      tokens.push(plain(src));
      return tokens;
    }
    this.#depth += 1;
    try {
      return super.blockTokens(src, tokens, lastParagraphClipped);
    } finally {
      this.#depth -= 1;
    }
  }
}

const plain = (text: string): Token => ({ type: "text", raw: text, text });

const isCrowded = (text: string): boolean => {
  if (text.length <= MAX_MARKS) return false;
  let marks = 0;
  for (let at = 0; at < text.length; at += 1)
    if ("*_~`[]<!&@\\".includes(text[at] ?? "")) marks += 1;
  return marks > MAX_MARKS;
};
