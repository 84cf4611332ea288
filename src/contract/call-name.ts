/** What people know a tool call by. Agents name a call before they know what it is to do, and name it again later. */
import { z } from "zod";
import type { Tool } from "./tool.ts";

/** The title, and the command where the title does not tell it. */
export const callName = ({ id, title = id, input }: Tool): string => {
  const command = commandIn(input);
  return command === null || title.includes(command)
    ? title
    : `${title}: ${command}`;
};

/** The command line that a call runs, where its input has one. */
export const commandIn = (input: unknown): string | null => {
  const { command, cmd } = Input.safeParse(input).data ?? {};
  const words = command ?? cmd;
  return (Array.isArray(words) ? words.join(" ") : words) ?? null;
};

const words = z
  .union([z.string().min(1), z.array(z.string()).min(1)])
  .optional()
  .catch(undefined);

const Input = z.object({ command: words, cmd: words });
