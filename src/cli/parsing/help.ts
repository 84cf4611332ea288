/** Help is made from the commands themselves. */
import type { Argument, Command, Option } from "./command.ts";
import { exitCodes } from "./exit-code.ts";
import { everywhere } from "./input.ts";
import { asCalled } from "../terminal/program.ts";
import { definitions, wrap } from "../terminal/wrap.ts";
import { UsageError } from "./usage-error.ts";

/** Longer lines are hard to read, and shorter ones leave no room for two columns. */
const MAX_COLUMNS = 80;
const MIN_COLUMNS = 50;

/** How the help is laid out: what to type to call the program, and the width of the terminal. */
export interface Layout {
  program?: string;
  columns?: number | null;
}

/** The help of a command, of a group (`session`) or of everything (``). */
export const help = (
  topic: string,
  commands: readonly Command[],
  { program = "reprise", columns = null }: Layout = {},
): string => {
  const page = pageOf(
    program,
    Math.max(MIN_COLUMNS, Math.min(columns ?? MAX_COLUMNS, MAX_COLUMNS)),
  );
  const command = commands.find(({ name }) => name === topic);
  if (command !== undefined) return helpOfCommand(command, page);
  const group = commands.filter(({ name }) => name.startsWith(`${topic} `));
  if (group.length > 0) return helpOfGroup(topic, group, page);
  if (topic === "") return helpOfAll(commands, page);
  throw new UsageError(
    `There is no command "${topic}". Try \`reprise --help\`.`,
  );
};

/** The parts of a command line, none of which is broken. */
export const usage = (command: Command): string[] => [
  ...`reprise ${command.name}`.split(" "),
  ...command.args.map(placeholder),
  ...Object.entries(command.options).map(([name, option]) =>
    isRequired(option)
      ? optionWords(name, option)
      : `[${optionWords(name, option)}]`,
  ),
  ...(command.rest === undefined ? [] : ["--", command.rest.name]),
];

/** Writes the parts of a page. Commands are named as they have to be typed before lines are measured. */
const pageOf = (program: string, columns: number) => {
  const called = (text: string): string => asCalled(text, program);
  return {
    usage: (parts: readonly string[]): string =>
      wrap(
        [called(parts.slice(0, 2).join(" ")), ...parts.slice(2)],
        columns,
        "    ",
      ),
    text: (text: string): string => wrap(called(text).split(" "), columns),
    section: (
      title: string,
      rows: readonly (readonly [string, string])[],
    ): string =>
      rows.length === 0
        ? ""
        : `${title}:\n${definitions(
            rows.map(([term, meaning]) => [called(term), called(meaning)]),
            columns,
          )}`,
    /** Whole lines, however long, so that they can be copied. */
    examples: (lines: readonly string[]): string =>
      `Examples:\n${lines.map((each) => `  ${called(`$ ${each}`)}\n`).join("")}`,
  };
};

type Page = ReturnType<typeof pageOf>;

const helpOfCommand = (command: Command, page: Page): string =>
  [
    page.usage(usage(command)),
    page.text(
      `${command.summary}.${command.about === undefined ? "" : ` ${command.about}`}`,
    ),
    page.section(
      "Arguments",
      [...command.args, ...(command.rest ? [command.rest] : [])].map(
        ({ name, help }) => [name, help],
      ),
    ),
    page.section(
      "Options",
      Object.entries({ ...command.options, ...everywhere }).map(
        ([name, option]) => [
          `${shortWords(name, option)}${optionWords(name, option)}`,
          option.help,
        ],
      ),
    ),
    page.examples(command.examples),
    exitSection(page, command.exits),
  ]
    .filter((part) => part !== "")
    .join("\n");

const helpOfGroup = (
  topic: string,
  group: readonly Command[],
  page: Page,
): string =>
  [
    page.usage(["reprise", topic, "COMMAND"]),
    page.section("Commands", group.map(line)),
    page.text(`\`reprise ${topic} COMMAND --help\` tells more of each.`),
  ].join("\n");

const helpOfAll = (commands: readonly Command[], page: Page): string =>
  [
    page.usage(["reprise", "COMMAND"]),
    page.text(
      "Durable sessions for coding agents: a session outlives everything that runs it.",
    ),
    ...SUBJECTS.map((subject) =>
      page.section(
        subject,
        commands.filter((each) => subjectOf(each) === subject).map(line),
      ),
    ),
    page.section("Environment", [
      ["REPRISE_URL", "the server to use, when it is not the one of this home"],
      ["REPRISE_TOKEN", "its token"],
      ["REPRISE_HOME", "where everything is kept; default ~/.reprise"],
      [
        "REPRISE_PORT",
        "the port of a server that is started; default 7420, 0 takes a free one; `--port` of `reprise up` comes first",
      ],
      ["NO_COLOR", "no colours"],
    ]),
    page.examples([
      "reprise up",
      'reprise session start "remember colour=blue" --follow',
      'reprise session continue "recall colour"',
    ]),
    exitSection(page),
    page.text(
      "`reprise COMMAND --help` tells more of each. Every command takes --json.",
    ),
  ].join("\n");

const SUBJECTS = [
  "Server",
  "Sessions",
  "Tasks",
  "Webhooks and notifications",
  "Editors and other programs",
  "Advanced",
] as const;

const subjectOf = ({ name, advanced }: Command): (typeof SUBJECTS)[number] => {
  if (advanced === true) return "Advanced";
  switch (name.split(" ")[0]) {
    case "session":
    case "race":
      return "Sessions";
    case "task":
    case "apply":
      return "Tasks";
    case "notify":
    case "webhook":
      return "Webhooks and notifications";
    case "acp":
    case "mcp":
      return "Editors and other programs";
    default:
      return "Server";
  }
};

const line = (command: Command): [string, string] => [
  [
    command.name,
    ...command.args.map(shortPlaceholder),
    ...(command.rest ? ["--", command.rest.name] : []),
  ].join(" "),
  command.summary,
];

/** 130 belongs to the commands that watch: they name it themselves. */
const exitSection = (
  page: Page,
  special: Readonly<Record<number, string>> = {},
): string => {
  const { 130: _, ...usual } = exitCodes;
  return page.section("Exit codes", Object.entries({ ...usual, ...special }));
};

/** In lists, where two short choices have room and five have not. */
const shortPlaceholder = (argument: Argument): string => {
  const { choices, ...plain } = argument;
  return placeholder((choices?.length ?? 0) > 2 ? plain : argument);
};

const placeholder = ({ name, choices, optional, many }: Argument): string => {
  const words = many === true ? `${name}...` : (choices?.join("|") ?? name);
  return optional === true ? `[${words}]` : words;
};

const optionWords = (name: string, option: Option): string => {
  switch (option.kind) {
    case "flag":
      return `--${name}`;
    case "number":
    case "list":
      return `--${name} ${option.value}`;
    case "text":
      return `--${name} ${option.choices?.join("|") ?? option.value}`;
  }
};

const shortWords = (name: string, option: Option): string => {
  if (name === "help") return "-h, ";
  return option.kind === "text" && option.short !== undefined
    ? `-${option.short}, `
    : "";
};

const isRequired = (option: Option): boolean =>
  option.kind === "text" && option.required === true;
