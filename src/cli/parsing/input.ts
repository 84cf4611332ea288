/** Reads the arguments and options of a command line, as the command declared them. */
import { parseArgs } from "node:util";
import type { AnyInput, Argument, Command, Option } from "./command.ts";
import { didYouMean } from "./nearest.ts";
import { UsageError } from "./usage-error.ts";

/** Options that every command takes. */
export const everywhere = {
  json: {
    kind: "flag",
    help: "machine-readable output: one JSON document, or one per line where it streams",
  },
  help: { kind: "flag", help: "show this help" },
} as const satisfies Record<string, Option>;

export const readInput = (
  command: Command,
  rest: readonly string[],
): AnyInput | "help" => {
  const [own, others] = divided(command, rest);
  const { values, positionals } = split(command, own);
  if (values.has("help")) return "help";
  return {
    args: argumentsOf(command, positionals),
    options: optionsOf(command, values),
    rest: checkedRest(command, others),
  };
};

/** Where the command takes another program's command line: what is ours, and that. */
const divided = (
  command: Command,
  all: readonly string[],
): [own: readonly string[], others: readonly string[]] => {
  const end = command.rest === undefined ? -1 : all.indexOf("--");
  return end === -1 ? [all, []] : [all.slice(0, end), all.slice(end + 1)];
};

const checkedRest = (
  command: Command,
  others: readonly string[],
): readonly string[] =>
  command.rest !== undefined && others.length === 0
    ? fail(
        `${command.rest.name} is missing: it goes after "--". ${hint(command)}`,
      )
    : others;

interface Split {
  /** The values of each option in their order; null for a flag. */
  values: Map<string, (string | null)[]>;
  positionals: string[];
}

/** Node finds the pieces; what is wrong with one of them is said in our own words. */
const split = (command: Command, rest: readonly string[]): Split => {
  const options: Record<string, Option> = {
    ...command.options,
    ...everywhere,
  };
  const { tokens } = parseArgs({
    args: [...rest],
    options: Object.fromEntries(
      Object.entries(options).map(([name, option]) => [
        name,
        {
          type:
            option.kind === "flag" ? ("boolean" as const) : ("string" as const),
          ...shortOf(name, option),
        },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const found: Split = { values: new Map(), positionals: [] };
  for (const token of tokens) {
    if (token.kind === "positional") found.positionals.push(token.value);
    if (token.kind === "option")
      found.values.set(token.name, [
        ...(found.values.get(token.name) ?? []),
        valueOf(command, options, token),
      ]);
  }
  return found;
};

const shortOf = (name: string, option: Option): { short?: string } => {
  if (name === "help") return { short: "h" };
  return option.kind === "text" && option.short !== undefined
    ? { short: option.short }
    : {};
};

const valueOf = (
  command: Command,
  options: Readonly<Record<string, Option>>,
  token: {
    name: string;
    rawName: string;
    value: string | undefined;
    inlineValue: boolean | undefined;
  },
): string | null => {
  const { name, rawName, value, inlineValue } = token;
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined)
    return fail(
      `\`reprise ${command.name}\` has no option ${rawName}.${didYouMean(name, Object.keys(options), (each) => `--${each}`)} ${hint(command)} A text that begins with a dash goes after "--".`,
    );
  if (option.kind === "flag")
    return value === undefined ? null : fail(`${rawName} takes no value.`);
  if (value === undefined)
    return fail(`${rawName} needs a value. ${hint(command)}`);
  if (inlineValue === false && /^-./.test(value))
    return fail(
      `${rawName} needs a value, and "${value}" looks like another option. Write ${rawName}=${value} if it is one.`,
    );
  return value;
};

const argumentsOf = (
  command: Command,
  positionals: readonly string[],
): AnyInput["args"] => {
  const takesMany = command.args.at(-1)?.many === true;
  if (positionals.length > command.args.length && !takesMany)
    fail(
      `Too many arguments, from "${positionals[command.args.length]}" on. Put a text of several words in quotes. ${hint(command)}`,
    );
  const required = command.args.filter(({ optional }) => optional !== true);
  // An argument that may be left out is left out where there is not one for each.
  let spare = positionals.length - required.length;
  let next = 0;
  return Object.fromEntries(
    command.args.map((argument) => {
      if (argument.many === true)
        return [argument.name, someOf(command, argument, positionals, next)];
      const isThere = argument.optional !== true || spare-- > 0;
      const value = isThere ? positionals[next++] : undefined;
      return [argument.name, checkedArgument(command, argument, value)];
    }),
  );
};

const someOf = (
  command: Command,
  argument: Argument,
  positionals: readonly string[],
  from: number,
): readonly string[] => {
  checkedArgument(command, argument, positionals[from]);
  return positionals.slice(from);
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

const optionsOf = (
  command: Command,
  values: Split["values"],
): AnyInput["options"] =>
  Object.fromEntries(
    Object.entries(command.options).map(([name, option]) => [
      name,
      checkedOption(command, name, option, values.get(name) ?? []),
    ]),
  );

const checkedOption = (
  command: Command,
  name: string,
  option: Option,
  values: readonly (string | null)[],
): AnyInput["options"][string] => {
  // The last one counts, as everywhere.
  const value = values.at(-1);
  if (option.kind === "flag") return value === null;
  if (option.kind === "list") return values.filter((each) => each !== null);
  if (typeof value !== "string") {
    if (option.kind === "text" && option.required === true)
      fail(`--${name} is missing. ${hint(command)}`);
    return undefined;
  }
  if (option.kind === "number") return checkedNumber(name, option, value);
  // A variable that is not set, most likely.
  if (value === "") return fail(`--${name} must not be empty.`);
  if (option.choices?.includes(value) === false)
    return fail(
      `--${name} must be one of ${option.choices.join(", ")}, not "${value}".`,
    );
  return value;
};

const checkedNumber = (
  name: string,
  { max }: Extract<Option, { kind: "number" }>,
  value: string,
): number => {
  if (!/^\d{1,15}$/.test(value))
    return fail(`--${name} must be a whole number, not "${value}".`);
  return max !== undefined && Number(value) > max
    ? fail(`--${name} must be at most ${max}, not ${value}.`)
    : Number(value);
};

const hint = (command: Command): string =>
  `See \`reprise ${command.name} --help\`.`;

const fail = (message: string): never => {
  throw new UsageError(message);
};
