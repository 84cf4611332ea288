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
const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];
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

/** What somebody gave: a file of the browser, or one of a test. */
export interface GivenFile {
  name: string;
  type: string;
  size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The file as an attachment, or why it is none. */
export const fileAttachment = async (
  id: string,
  file: GivenFile,
): Promise<Attachment | { refusal: string }> => {
  const name = file.name === "" ? "pasted" : file.name;
  if (file.size > MAX_PROMPT_BYTES)
    return {
      refusal: `${name} has ${bytes(file.size)}. A prompt takes at most ${bytes(MAX_PROMPT_BYTES)}: put it into the workspace and name it.`,
    };
  const content = new Uint8Array(await file.arrayBuffer());
  if (imageTypes.includes(file.type))
    return {
      id,
      name,
      block: { type: "image", mime_type: file.type, data: base64(content) },
      size: bytes(file.size),
    };
  const text = textIn(content);
  return text === null
    ? {
        refusal: `${name} is neither an image nor text. Put it into the workspace and name it.`,
      }
    : textAttachment(id, name, text);
};

const base64 = (content: Uint8Array): string => {
  let text = "";
  // Few arguments at once: a call takes only so many.
  for (let from = 0; from < content.length; from += 8_192)
    text += String.fromCharCode(...content.subarray(from, from + 8_192));
  return btoa(text);
};

/** Null where it is no text in UTF-8. */
const textIn = (content: Uint8Array): string | null => {
  if (content.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    return null;
  }
};

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
