/** What agents give their tools. Each has its own names for the same things; what is not there is not guessed. */
import { isRecord } from "../../kit/data/is-record.ts";

export interface CallInput {
  /** The command line that a call runs. */
  command: string | null;
  /** The files that a call is about. */
  paths: string[];
  /** What a call changes, from agents that tell it there. */
  diff: string | null;
  /** What else a call is about: an address, a query, a pattern, a second command. */
  others: string[];
  /** It has a command in no form that is known, or is itself in none. */
  isUnread: boolean;
}

export const callInput = (input: unknown): CallInput => {
  if (!isRecord(input))
    return {
      command: null,
      paths: [],
      diff: null,
      others: [],
      isUnread: isPresent(input),
    };
  const text = (name: string): string[] =>
    isText(input[name]) ? [input[name]] : [];
  const args = areTexts(input["args"]) ? input["args"] : undefined;
  const [command = null, ...commands] = [input["command"], input["cmd"]]
    .filter(isCommand)
    .map((each) => lineOf(each, args));
  return {
    command,
    paths: PATH_FIELDS.flatMap(text),
    diff: text("diff")[0] ?? null,
    others: [...commands, ...OTHER_FIELDS.flatMap(text)],
    isUnread:
      (command === null && args !== undefined) ||
      [input["command"], input["cmd"]].some(
        (each) => !isCommand(each) && isPresent(each),
      ) ||
      (args === undefined && isPresent(input["args"])),
  };
};

const PATH_FIELDS = [
  "file_path",
  "filePath",
  "filepath",
  "fileName",
  "notebook_path",
  "path",
];
const OTHER_FIELDS = ["url", "query", "pattern"];

// Field by field: what one agent spells otherwise hides nothing of the rest.
const isText = (value: unknown): value is string =>
  typeof value === "string" && value !== "";
const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");
const isCommand = (value: unknown): value is string | string[] =>
  isText(value) || (areTexts(value) && value.length > 0);

const isPresent = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "";

/** As a shell would take it: a word that a shell would divide or expand is quoted. One word alone may be a whole line. */
const lineOf = (
  command: string | string[],
  args: string[] | undefined = [],
): string => {
  const [first = "", ...more] = Array.isArray(command) ? command : [command];
  const rest = [...more, ...args];
  if (rest.length === 0) return first;
  const begin = Array.isArray(command) ? shellWord(first) : first;
  return [begin, ...rest.map(shellWord)].join(" ");
};

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

export const commandIn = (input: unknown): string | null =>
  callInput(input).command;
