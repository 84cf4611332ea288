/** What agents give their tools. Each has its own names for the same things; what is not there is not guessed. */
import * as z from "zod";

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
  const known = input === undefined ? undefined : Input.safeParse(input).data;
  if (known === undefined)
    return {
      command: null,
      paths: [],
      diff: null,
      others: [],
      isUnread: isPresent(input),
    };
  const fields = Fields.parse(input);
  const [command = null, ...commands] = [known.command, known.cmd]
    .filter((each) => each !== undefined)
    .map((each) => lineOf(each, known.args));
  return {
    command,
    paths: [
      known.file_path,
      known.filePath,
      known.filepath,
      known.fileName,
      known.notebook_path,
      known.path,
    ].filter((path) => path !== undefined),
    diff: known.diff ?? null,
    others: [...commands, known.url, known.query, known.pattern].filter(
      (each) => each !== undefined,
    ),
    isUnread:
      (command === null && known.args !== undefined) ||
      COMMAND_FIELDS.some(
        (field) => known[field] === undefined && isPresent(fields[field]),
      ),
  };
};

const COMMAND_FIELDS = ["command", "cmd", "args"] as const;

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

const text = z.string().min(1).optional().catch(undefined);
const words = z
  .union([z.string().min(1), z.array(z.string()).min(1)])
  .optional()
  .catch(undefined);

const Fields = z.record(z.string(), z.unknown());

/** Lenient, field by field: what one agent spells otherwise hides nothing of the rest. */
const Input = z.object({
  command: words,
  cmd: words,
  args: z.array(z.string()).optional().catch(undefined),
  file_path: text,
  filePath: text,
  filepath: text,
  fileName: text,
  notebook_path: text,
  path: text,
  diff: text,
  url: text,
  query: text,
  pattern: text,
});
