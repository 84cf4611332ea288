/** What the core says is for every front end, and what it says is not read back. */
import { readFile } from "node:fs/promises";
import { join } from "node:path/posix";
import type { Violation } from "./check-imports.ts";
import { isTestCode } from "./rooms.ts";
import { tokenize } from "./tokens.ts";
import type { Tree } from "./tree.ts";

/** Rooms that know no front end. */
const core =
  /^src\/(agentctl|agents|checkpoint|contract|executors|records|runtime|session|store|task)\//;
/** Rooms that start no program either: no option of any program is theirs to write. */
const decides = /^src\/(runtime|session|task)\//;
/** Rooms that act on what others said. */
const readers =
  /^src\/(agentctl|cli|client|contract|executors|records|runtime|server|session|store|task)\//;

/** In a line, comments included. */
const command =
  /\breprise (up|down|agents|session|task|gc|doctor|mcp|acp|chat|adopt|race|apply|executors|config|status|logs|service|webhook|open|completion|--?[a-z]+)\b/;
const option =
  /[`"' ]--(no-checkpoints|follow|take-over|without|model-fallback)\b/;

/** In a text: a command of ours that the list above does not know yet, or an option of whatever program. */
const anyCommand = /\breprise [a-z-]/;
const anyOption = /(^|[^\w-])--[a-z]/;

/** Fields that hold sentences. */
const sentence = "(?:message|detail|lost|error_message|stderr_tail|words|text)";
const readings = [
  new RegExp(
    `\\.(?:message|detail|lost|error_message|stderr_tail)\\??\\.(?:includes|startsWith|endsWith|match|search|indexOf)\\(`,
  ),
  new RegExp(`\\bmessage\\??\\.(?:includes|startsWith|endsWith|match)\\(`),
  new RegExp(`\\.(?:lost|message|detail)\\??\\.includes\\(${sentence}\\)`),
  /\.test\([\w.?]*\.(?:message|detail|lost|error_message)\)/,
  /\b(?:text|message|detail|lost) [!=]== this\.#/,
  /\.(?:message|detail|lost|error_message) [!=]== ["'`]/,
];

export const checkWords = async (
  root: string,
  tree: Tree,
): Promise<Violation[]> => {
  const found: Violation[] = [];
  for (const { path } of tree.values()) {
    if (isTestCode(path)) continue;
    const source = await readFile(join(root, path), "utf8");
    for (const line of source.split("\n"))
      for (const what of wrongsIn(path, line))
        found.push({ file: path, what: `${what}: ${line.trim()}` });
    if (decides.test(path))
      for (const text of commandTexts(source))
        found.push({ file: path, what: `${SPEAKS}: ${text}` });
  }
  return found;
};

const SPEAKS = "it speaks the command line; a code lets each front end say it";

const commandTexts = (source: string): string[] =>
  tokenize(source)
    .filter((token) => token.kind === "string" || token.kind === "template")
    .map(({ text }) => text)
    .filter((text) => anyCommand.test(text) || anyOption.test(text));

const wrongsIn = (path: string, line: string): string[] => [
  ...(core.test(path) && (command.test(line) || option.test(line))
    ? [SPEAKS]
    : []),
  ...(readers.test(path) && readings.some((reading) => reading.test(line))
    ? ["it reads a sentence; let a code or a field say it"]
    : []),
];
