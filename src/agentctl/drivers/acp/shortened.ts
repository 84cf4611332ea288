/** Everyone who shows or follows a session holds names, titles and lists in memory, so their length is limited. That of text is not. */
import { createHash } from "node:crypto";
import { fitting } from "../../../contract/base/text-limit.ts";

export const MAX_TITLE = 2000;
const MAX_TOOL_ID = 200;

export const shortened = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, fitting(text, max - 1))}…`;

/** The agent's name for a tool call. One that is longer than any agent needs is known by its hash. */
export const toolId = (id: string): string =>
  id.length <= MAX_TOOL_ID
    ? id
    : `${shortened(id, MAX_TOOL_ID / 2)}${createHash("sha256").update(id).digest("hex")}`;
