/** The exact commands that answer what a session waits for, ready to be pasted. */
import type { Permission } from "../../contract/agent/permission.ts";
import { answerFor } from "./permit-words.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { quoted } from "../terminal/quoted.ts";
import { table } from "../terminal/table.ts";

/** One line per option of a permission request. */
export const permitCommands = (
  program: string,
  session: string,
  { id, options }: Permission,
): string =>
  choices(
    options.map((option) => [
      oneLine(option.name),
      `${program} session permit ${session} ${id} ${quoted(answerFor(options, option))}`,
    ]),
  );

/** One line per way to decide about an interrupted or uncertain prompt. */
export const resolveCommands = (
  program: string,
  session: string,
  prompt: string,
): string =>
  choices(
    [
      ["Go on from there", "continue"],
      ["Send it again", "resend"],
      ["Leave it", "drop"],
    ].map(([name = "", action = ""]) => [
      name,
      `${program} session resolve ${session} ${prompt} ${action}`,
    ]),
  );

export const resumeCommand = (program: string, session: string): string =>
  `${program} session resume ${session}`;

export const comeBackCommand = (program: string, session: string): string =>
  `${resumeCommand(program, session)} --follow`;

const choices = (rows: readonly (readonly string[])[]): string =>
  table(
    rows.map((row) => row.map((text) => ({ text }))),
    null,
  ).trimEnd();
