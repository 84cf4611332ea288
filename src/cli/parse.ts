import { parseArgs } from "node:util";
import type { AnyGiven, Argument, Command, Option } from "./command.ts";
import { UsageError } from "./usage-error.ts";

export type Parsed =
  | { kind: "help"; topic: string }
  | { kind: "version" }
  /** A group without one of its commands. */
  | { kind: "incomplete"; group: string }
  | { kind: "run"; command: Command; given: AnyGiven };

/** Options that every command takes. */
export const everywhere = {
  json: {
    kind: "flag",
    help: "machine-readable output: one JSON document, or one per line where it streams",
  },
  help: { kind: "flag", help: "show this help" },
} as const satisfies Record<string, Option>;

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
  if (argv.every((each) => each === "--version")) return { kind: "version" };
  return fail("Options come after the command. See `reprise --help`.");
};

const parseFor = (command: Command, rest: string[]): Parsed => {
  const { values, positionals } = tokens(command, rest);
  if (values["help"] === true) return { kind: "help", topic: command.name };
  return {
    kind: "run",
    command,
    given: {
      args: argumentsOf(command, positionals),
      options: optionsOf(command, values),
    },
  };
};

type Values = Record<
  string,
  string | boolean | (string | boolean)[] | undefined
>;

const tokens = (
  command: Command,
  rest: string[],
): { values: Values; positionals: string[] } => {
  const options = Object.fromEntries(
    Object.entries({ ...command.options, ...everywhere }).map(
      ([name, option]) => [
        name,
        {
          type:
            option.kind === "flag" ? ("boolean" as const) : ("string" as const),
          ...(name === "help" ? { short: "h" } : {}),
        },
      ],
    ),
  );
  try {
    return parseArgs({ args: rest, options, allowPositionals: true });
  } catch (error) {
    return fail(
      `${error instanceof Error ? error.message : String(error)}. ${hint(command)}`,
    );
  }
};

const argumentsOf = (
  command: Command,
  positionals: readonly string[],
): AnyGiven["args"] => {
  if (positionals.length > command.args.length)
    fail(
      `Too many arguments, from "${positionals[command.args.length]}" on. Put a text of several words in quotes. ${hint(command)}`,
    );
  return Object.fromEntries(
    command.args.map((argument, i) => [
      argument.name,
      checkedArgument(command, argument, positionals[i]),
    ]),
  );
};

const checkedArgument = (
  command: Command,
  argument: Argument,
  value: string | undefined,
): string | undefined => {
  if (value === undefined && argument.optional !== true)
    return fail(`${argument.name} is missing. ${hint(command)}`);
  if (value !== undefined && argument.choices?.includes(value) === false)
    return fail(
      `${argument.name} must be one of ${argument.choices.join(", ")}, not "${value}".`,
    );
  return value;
};

const optionsOf = (command: Command, values: Values): AnyGiven["options"] =>
  Object.fromEntries(
    Object.entries(command.options).map(([name, option]) => [
      name,
      checkedOption(command, name, option, values[name]),
    ]),
  );

const checkedOption = (
  command: Command,
  name: string,
  option: Option,
  value: Values[string],
): string | number | boolean | undefined => {
  if (option.kind === "flag") return value === true;
  if (typeof value !== "string") {
    if (option.kind === "text" && option.required === true)
      fail(`--${name} is missing. ${hint(command)}`);
    return undefined;
  }
  if (option.kind === "number")
    return /^\d{1,15}$/.test(value)
      ? Number(value)
      : fail(`--${name} must be a whole number, not "${value}".`);
  if (option.choices?.includes(value) === false)
    return fail(
      `--${name} must be one of ${option.choices.join(", ")}, not "${value}".`,
    );
  return value;
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
  const within = commands.some((each) => each.name.startsWith(`${group} `));
  return new UsageError(
    `There is no command "${name}". Try \`reprise ${within ? `${group} ` : ""}--help\`.`,
  );
};

const isHelp = (each: string): boolean => each === "--help" || each === "-h";

const hint = (command: Command): string =>
  `See \`reprise ${command.name} --help\`.`;

const fail = (message: string): never => {
  throw new UsageError(message);
};
