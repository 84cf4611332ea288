/**
 * Just enough of TypeScript's lexical grammar to tell code from comments, strings, templates and regular expressions.
 * The compiler we use has no API in JavaScript, and a house rule should not bring a parser of its own.
 */
export type Token =
  | { kind: "word"; text: string }
  | { kind: "mark"; text: string }
  | { kind: "string"; text: string }
  /** A template with substitutions, which are left out of its text. It cannot name a module. */
  | { kind: "template"; text: string }
  /** A number or a regular expression. */
  | { kind: "other" };

export const tokenize = (source: string): Token[] => {
  const tokens: Token[] = [];
  scan(source, source.startsWith("#!") ? lineEnd(source, 0) : 0, tokens, false);
  return tokens;
};

/** Scans until the end, or until the brace that closes a template's substitution; returns the position after it. */
const scan = (
  source: string,
  from: number,
  tokens: Token[],
  inTemplate: boolean,
): number => {
  let depth = 0;
  let at = from;
  while (at < source.length) {
    const char = source.charAt(at);
    if (/\s/.test(char)) at += 1;
    else if (source.startsWith("//", at)) at = lineEnd(source, at);
    else if (source.startsWith("/*", at)) at = after(source, "*/", at + 2);
    else if (char === '"' || char === "'") at = quoted(source, at, tokens);
    else if (char === "`") at = template(source, at, tokens);
    else if (char === "/" && startsRegExp(tokens)) {
      at = regExpEnd(source, at);
      tokens.push({ kind: "other" });
    } else if (/[\p{ID_Start}$_#\\]/u.test(char)) {
      const text = /^[\p{ID_Continue}$#\\\u200c\u200d]+/u.exec(
        source.slice(at, at + 256),
      )?.[0];
      tokens.push({ kind: "word", text: text ?? char });
      at += text?.length ?? 1;
    } else if (/\d/.test(char)) {
      at += /^[\w.]+/.exec(source.slice(at, at + 256))?.[0].length ?? 1;
      tokens.push({ kind: "other" });
    } else {
      if (char === "{") depth += 1;
      if (char === "}" && inTemplate && depth-- === 0) return at + 1;
      tokens.push({ kind: "mark", text: char });
      at += 1;
    }
  }
  return at;
};

const quoted = (source: string, from: number, tokens: Token[]): number => {
  const quote = source.charAt(from);
  let text = "";
  let at = from + 1;
  while (at < source.length && source.charAt(at) !== quote) {
    if (source.charAt(at) === "\\") at += 1;
    text += source.charAt(at);
    at += 1;
  }
  tokens.push({ kind: "string", text });
  return at + 1;
};

const template = (source: string, from: number, tokens: Token[]): number => {
  let text = "";
  let kind: "string" | "template" = "string";
  let at = from + 1;
  while (at < source.length && source.charAt(at) !== "`") {
    if (source.startsWith("${", at)) {
      kind = "template";
      at = scan(source, at + 2, tokens, true);
      continue;
    }
    if (source.charAt(at) === "\\") at += 1;
    text += source.charAt(at);
    at += 1;
  }
  tokens.push({ kind, text });
  return at + 1;
};

/** After a value a slash divides; anywhere else it begins a regular expression. */
const startsRegExp = (tokens: readonly Token[]): boolean => {
  const last = tokens.at(-1);
  if (last === undefined) return true;
  if (last.kind === "mark") return last.text !== ")" && last.text !== "]";
  return (
    last.kind === "word" &&
    /^(return|typeof|case|in|of|do|else|void|delete|await|yield|throw|new|instanceof)$/.test(
      last.text,
    )
  );
};

const regExpEnd = (source: string, from: number): number => {
  let inClass = false;
  let at = from + 1;
  for (; at < source.length; at += 1) {
    const char = source.charAt(at);
    if (char === "\\") at += 1;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "/" && !inClass) break;
    else if (char === "\n") break;
  }
  return at + 1;
};

const lineEnd = (source: string, from: number): number => {
  const end = source.indexOf("\n", from);
  return end === -1 ? source.length : end;
};

const after = (source: string, what: string, from: number): number => {
  const found = source.indexOf(what, from);
  return found === -1 ? source.length : found + what.length;
};
