import { tokenize, type Token } from "./tokens.ts";

export interface Import {
  /** Null when it is computed: nobody can say where it leads. */
  specifier: string | null;
  form: "import" | "export" | "dynamic" | "require";
  /** Nothing of it is left when the program runs. */
  typeOnly: boolean;
}

/** Every module that a source names: `import`, `export … from`, `import()` and `require()`. */
export const importsOf = (source: string): Import[] => {
  const tokens = tokenize(source);
  return tokens.flatMap((token, at) => {
    if (token.kind !== "word" || isMark(tokens[at - 1], ".")) return [];
    const rest = () => tokens.slice(at + 1, at + 1 + longestClause);
    switch (token.text) {
      case "import":
        return importAt(rest());
      case "export":
        return exportAt(rest());
      case "require":
      case "createRequire":
        return isMark(tokens[at + 1], "(") ? [called("require", rest())] : [];
      default:
        return [];
    }
  });
};

/** In tokens; a clause that names five hundred things has other problems. */
const longestClause = 2_000;

const importAt = (rest: readonly Token[]): Import[] => {
  const [first, second] = rest;
  if (isMark(first, ".") || isMark(first, ":")) return []; // import.meta, or a key
  if (isMark(first, "(")) return [called("dynamic", rest)];
  if (first?.kind === "string")
    return [{ specifier: first.text, form: "import", typeOnly: false }];
  const typeOnly =
    isWord(first, "type") && !isWord(second, "from") && !isMark(second, ",");
  return fromClause(rest, "import", typeOnly);
};

const exportAt = (rest: readonly Token[]): Import[] => {
  const typeOnly = isWord(rest[0], "type");
  const clause = typeOnly ? rest.slice(1) : rest;
  if (isMark(clause[0], "*")) return fromClause(clause, "export", typeOnly);
  if (!isMark(clause[0], "{")) return [];
  const close = clause.findIndex((token) => isMark(token, "}"));
  return isWord(clause[close + 1], "from")
    ? fromClause(clause.slice(close), "export", typeOnly)
    : [];
};

const fromClause = (
  clause: readonly Token[],
  form: "import" | "export",
  typeOnly: boolean,
): Import[] => {
  for (const [at, token] of clause.entries()) {
    const next = clause[at + 1];
    if (isWord(token, "from") && next?.kind === "string")
      return [{ specifier: next.text, form, typeOnly }];
    if (isMark(token, ";")) return [];
  }
  return [];
};

const called = (
  form: "dynamic" | "require",
  rest: readonly Token[],
): Import => ({
  specifier:
    rest[1]?.kind === "string" && (isMark(rest[2], ")") || isMark(rest[2], ","))
      ? rest[1].text
      : null,
  form,
  typeOnly: false,
});

const isMark = (token: Token | undefined, text: string): boolean =>
  token?.kind === "mark" && token.text === text;

const isWord = (token: Token | undefined, text: string): boolean =>
  token?.kind === "word" && token.text === text;
