/** What people know a tool call by. Agents name a call before they know what it is to do, and name it again later. */
import { commandIn } from "./call-input.ts";
import type { Tool } from "./tool.ts";

/** The title, and the command where the title does not tell it. */
export const callName = ({ id, title = id, input }: Tool): string => {
  const command = commandIn(input);
  return command === null || title.includes(command)
    ? title
    : `${title}: ${command}`;
};
