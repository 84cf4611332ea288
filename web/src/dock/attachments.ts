/** What is sent with a prompt besides its text. */
import { MAX_PROMPT_BYTES } from "../../../src/contract/api/request.ts";
import {
  type ContentBlock,
  sizeOf,
} from "../../../src/contract/base/content.ts";
import { bytes, counted } from "../words/counts.ts";

export interface Attachment {
  id: string;
  name: string;
  block: ContentBlock;
  /** For the chip: `84 kB`, `1,204 lines`. */
  size: string;
}

/** Pasted text beyond this becomes an attachment: a page that lays out a megabyte in a text box stands still. */
const MAX_PASTED_CHARACTERS = 8_000;
const MAX_PASTED_LINES = 200;
const MAX_ATTACHMENTS = 20;

export const isBigPaste = (text: string): boolean =>
  text.length > MAX_PASTED_CHARACTERS ||
  text.split("\n", MAX_PASTED_LINES + 1).length > MAX_PASTED_LINES;

export const textAttachment = (
  id: string,
  name: string,
  text: string,
): Attachment => ({
  id,
  name,
  block: {
    type: "resource",
    uri: `attachment:///${encodeURIComponent(name)}`,
    mime_type: "text/plain",
    text,
  },
  size: counted(text.split("\n").length, "line"),
});

/** All that is sent: the text first. */
export const contentOf = (
  text: string,
  attachments: readonly Attachment[],
): ContentBlock[] => [
  ...(text.trim() === "" ? [] : [{ type: "text" as const, text }]),
  ...attachments.map(({ block }) => block),
];

/** Why it cannot be sent as it is; null where it can. */
export const sendRefusal = (
  text: string,
  attachments: readonly Attachment[],
): string | null => {
  if (attachments.length > MAX_ATTACHMENTS)
    return `A prompt takes at most ${MAX_ATTACHMENTS} attachments here.`;
  const size = sizeOf(contentOf(text, attachments));
  return size > MAX_PROMPT_BYTES
    ? `Together this has ${bytes(size)}. A prompt takes at most ${bytes(MAX_PROMPT_BYTES)}.`
    : null;
};
