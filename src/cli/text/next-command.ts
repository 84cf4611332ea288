/** The exact commands that answer what a session waits for, ready to be copied. */
import type { Permission } from "../../contract/permission.ts";
import { oneLine } from "../sanitize.ts";
import { table } from "./table.ts";

/** One line per option of a permission request. */
export const permitCommands = (
  session: string,
  { id, options }: Permission,
): string =>
  table(
    options.map((option) => [
      { text: oneLine(option.name) },
      {
        text: `reprise session permit ${session} ${id} ${quoted(option.id)}`,
      },
    ]),
    null,
  );

export const resolveCommand = (session: string, prompt: string): string =>
  `reprise session resolve ${session} ${prompt} continue|resend|drop`;

export const comeBackCommand = (session: string): string =>
  `reprise session resume ${session} --follow`;

/** One word of a shell's command line. An option's id comes from the agent: it must not become more than a word. */
export const quoted = (word: string): string => {
  const clean = oneLine(word);
  return /^[\w.,:@/+=-]+$/.test(clean)
    ? clean
    : `'${clean.replaceAll("'", `'\\''`)}'`;
};
