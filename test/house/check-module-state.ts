/** State belongs to objects that somebody makes and closes. What a module keeps for itself is shared by all who import it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path/posix";
import type { Violation } from "./check-imports.ts";
import { isTestCode } from "./rooms.ts";
import { tokenize, type Token } from "./tokens.ts";
import type { Tree } from "./tree.ts";

/** Everything that a module keeps and changes, as `file name`. */
const kept: readonly string[] = [
  // What was made of a value that never changes, for as long as the value lives.
  "src/contract/event/event-json.ts serialised",
  "src/records/message-line.ts serialised",
  "src/session/view/message-page.ts inputLengths",
  // Facts about this process or machine, found out when they are first needed.
  "src/checkpoint/format/zstd.ts loaded",
  "src/cli/terminal/width.ts segmenter",
  "src/kit/c-library.ts loaded",
  "src/kit/crash-point.ts armed",
  "src/kit/processes/process-identity.ts boot",
  // Facts about files of others, whoever asks: which version a program is, which drafts are ours.
  "src/agents/launch/package-version.ts known",
  "src/agents/launch/told-version.ts answered",
  "src/agents/launch/told-version.ts underWay",
  "src/agents/state/put-file.ts underWay",
  // The bundler has one process for all who use it.
  "src/executors/standalone/bundle.ts building",
];

export const checkModuleState = async (
  root: string,
  tree: Tree,
): Promise<Violation[]> => {
  const found = new Set<string>();
  for (const file of tree.keys()) {
    if (isTestCode(file)) continue;
    const source = await readFile(join(root, file), "utf8");
    for (const name of stateIn(tokenize(source))) found.add(`${file} ${name}`);
  }
  return [
    ...[...found]
      .filter((name) => !kept.includes(name))
      .map((name) =>
        violation(name, "is state of a module: put it into an object"),
      ),
    ...kept
      .filter((name) => tree.has(name.split(" ")[0] ?? "") && !found.has(name))
      .map((name) => violation(name, "is gone: take it off the list")),
  ];
};

const violation = (name: string, what: string): Violation => {
  const [file = "", variable = ""] = name.split(" ");
  return { file, what: `${variable} ${what}` };
};

/** Names of what a module can change later: variables, and collections that are empty at first or are changed here. */
const stateIn = (tokens: readonly Token[]): string[] => {
  const names: string[] = [];
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.kind === "mark" && "{[(".includes(token.text)) depth += 1;
    if (token.kind === "mark" && "}])".includes(token.text)) depth -= 1;
    if (depth > 0 || token.kind !== "word") continue;
    const name = textOf(tokens[at + 1]);
    if (token.text === "let" || token.text === "var") names.push(name);
    if (token.text === "const" && isCollection(tokens, at, name))
      names.push(name);
  }
  return names;
};

const isCollection = (
  tokens: readonly Token[],
  at: number,
  name: string,
): boolean => {
  const equals = tokens.findIndex(
    (token, n) =>
      n > at && textOf(token) === "=" && textOf(tokens[n + 1]) !== ">",
  );
  const isReadOnly = tokens
    .slice(at, equals)
    .some((token) => /^readonly/i.test(textOf(token)));
  if (equals === -1 || isReadOnly) return false;
  const [first, second] = tokens.slice(equals + 1).map(textOf);
  if (first === "[" || first === "{")
    return second === "]" || second === "}" || isChanged(tokens, name);
  if (first !== "new" || !/^(Weak)?(Map|Set)$/.test(second ?? "")) return false;
  const open = tokens.findIndex((it, n) => n > equals && textOf(it) === "(");
  return textOf(tokens[open + 1]) === ")" || isChanged(tokens, name);
};

const isChanged = (tokens: readonly Token[], name: string): boolean =>
  tokens.some(
    (token, at) =>
      textOf(token) === name &&
      textOf(tokens[at + 1]) === "." &&
      /^(set|add|delete|clear|push|splice|shift|pop|unshift)$/.test(
        textOf(tokens[at + 2]),
      ),
  );

const textOf = (token: Token | undefined): string =>
  token?.kind === "word" || token?.kind === "mark" ? token.text : "";
