import type { AnyInput, Command } from "./command.ts";
import { readInput } from "./input.ts";
import { didYouMean } from "./nearest.ts";
import { UsageError } from "./usage-error.ts";
import { asksVersion } from "./version.ts";

export type Parsed =
  | { kind: "help"; topic: string }
  | { kind: "version" }
  /** A group without one of its commands. */
  | { kind: "incomplete"; group: string }
  | { kind: "run"; command: Command; input: AnyInput };

/** Which command is meant, and its arguments and options. */
export const parse = (
  argv: readonly string[],
  commands: readonly Command[],
): Parsed => {
  const words = leadingWords(argv);
  if (words[0] === "help")
    return { kind: "help", topic: words.slice(1).join(" ") };
  const command = longestMatch(words, commands);
  if (command !== undefined)
    return parseFor(command, argv.slice(command.name.split(" ").length));
  const [first, second] = words;
  if (first === undefined) return alone(argv);
  if (!commands.some(({ name }) => name.startsWith(`${first} `)))
    throw unknown(first, commands);
  if (second !== undefined) throw unknown(`${first} ${second}`, commands);
  return argv.some(isHelp)
    ? { kind: "help", topic: first }
    : { kind: "incomplete", group: first };
};

/** No command: help or the version, and nothing else. */
const alone = (argv: readonly string[]): Parsed => {
  if (argv.every(isHelp)) return { kind: "help", topic: "" };
  if (asksVersion(argv)) return { kind: "version" };
  throw new UsageError("Options come after the command. See `reprise --help`.");
};

const parseFor = (command: Command, rest: readonly string[]): Parsed => {
  const input = readInput(command, rest);
  return input === "help"
    ? { kind: "help", topic: command.name }
    : { kind: "run", command, input };
};

const leadingWords = (argv: readonly string[]): string[] => {
  const end = argv.findIndex((each) => each.startsWith("-"));
  return argv.slice(0, end === -1 ? argv.length : end);
};

const longestMatch = (
  words: readonly string[],
  commands: readonly Command[],
): Command | undefined =>
  commands.find(({ name }) => name === words.slice(0, 2).join(" ")) ??
  commands.find(({ name }) => name === words[0]);

const unknown = (name: string, commands: readonly Command[]): UsageError => {
  const group = name.split(" ")[0] ?? "";
  const names = commands.map((each) => each.name);
  const within = names.some((each) => each.startsWith(`${group} `));
  // `reprise list`: the group was left out, and sessions are what most commands are about.
  const whole = names.find((each) => each === `session ${name}`) ?? name;
  const meant = didYouMean(
    whole,
    [...names, ...new Set(names.map((each) => each.split(" ")[0] ?? ""))],
    (each) => `\`reprise ${each}\``,
  );
  return new UsageError(
    `There is no command "${name}".${meant} See \`reprise ${within ? `${group} ` : ""}--help\`.`,
  );
};

const isHelp = (each: string): boolean => each === "--help" || each === "-h";
