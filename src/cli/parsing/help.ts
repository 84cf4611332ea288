/** Help is made from the commands themselves. */
import type { Argument, Command, Option } from "./command.ts";
import { exitCodes } from "./exit-code.ts";
import { everywhere } from "./given.ts";
import { table } from "../terminal/table.ts";
import { UsageError } from "./usage-error.ts";

/** The help of a command, of a group (`session`) or of everything (``). */
export const help = (topic: string, commands: readonly Command[]): string => {
  const command = commands.find(({ name }) => name === topic);
  if (command !== undefined) return helpOfCommand(command);
  const group = commands.filter(({ name }) => name.startsWith(`${topic} `));
  if (group.length > 0) return helpOfGroup(topic, group);
  if (topic === "") return helpOfAll(commands);
  throw new UsageError(
    `There is no command "${topic}". Try \`reprise --help\`.`,
  );
};

export const usage = (command: Command): string =>
  [
    "reprise",
    command.name,
    ...command.args.map(placeholder),
    ...Object.entries(command.options).map(([name, option]) =>
      isRequired(option)
        ? optionWords(name, option)
        : `[${optionWords(name, option)}]`,
    ),
  ].join(" ");

const helpOfCommand = (command: Command): string =>
  [
    `${usage(command)}\n`,
    `${command.summary}.${command.about === undefined ? "" : ` ${command.about}`}\n`,
    section(
      "Arguments",
      command.args.map((each) => [each.name, each.help]),
    ),
    section(
      "Options",
      Object.entries({ ...command.options, ...everywhere }).map(
        ([name, option]) => [
          `${shortWords(name, option)}${optionWords(name, option)}`,
          option.help,
        ],
      ),
    ),
    section(
      "Examples",
      command.examples.map((each) => [`$ ${each}`]),
    ),
    exitSection(command.exits),
  ]
    .filter((part) => part !== "")
    .join("\n");

const helpOfGroup = (topic: string, group: readonly Command[]): string =>
  [
    `reprise ${topic} COMMAND\n`,
    section("Commands", group.map(line)),
    `\`reprise ${topic} COMMAND --help\` tells more of each.\n`,
  ].join("\n");

const helpOfAll = (commands: readonly Command[]): string =>
  [
    "reprise COMMAND\n",
    "Durable sessions for coding agents: a session outlives everything that runs it.\n",
    section("Commands", commands.filter((each) => !each.advanced).map(line)),
    section("Advanced", commands.filter((each) => each.advanced).map(line)),
    section("Environment", [
      ["REPRISE_URL", "the server to use, when it is not the one of this home"],
      ["REPRISE_TOKEN", "its token"],
      ["REPRISE_HOME", "where everything is kept; ~/.reprise unless set"],
      ["NO_COLOR", "no colours"],
    ]),
    section("Examples", [
      ["$ reprise up"],
      ['$ reprise session start "remember colour=blue" --follow'],
      ['$ reprise session continue "recall colour"'],
    ]),
    exitSection(),
    "`reprise COMMAND --help` tells more of each. Every command takes --json.\n",
  ].join("\n");

const line = (command: Command): string[] => [
  [command.name, ...command.args.map(placeholder)].join(" "),
  command.summary,
];

const section = (
  title: string,
  rows: readonly (readonly string[])[],
): string =>
  rows.length === 0
    ? ""
    : `${title}:\n${table(
        rows.map(([first = "", ...more]) =>
          [`  ${first}`, ...more].map((text) => ({ text })),
        ),
        null,
      )}`;

/** 130 belongs to the commands that watch: they name it themselves. */
const exitSection = (
  special: Readonly<Record<number, string>> = {},
): string => {
  const { 130: _, ...usual } = exitCodes;
  return section("Exit codes", Object.entries({ ...usual, ...special }));
};

const placeholder = ({ name, choices, optional }: Argument): string => {
  const words = choices?.join("|") ?? name;
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
