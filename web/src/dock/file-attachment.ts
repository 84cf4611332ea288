/** Files as attachments. Loaded when the first one is given. */
import { MAX_PROMPT_BYTES } from "../../../src/contract/api/request.ts";
import { bytes } from "../words/counts.ts";
import { type Attachment, textAttachment } from "./attachments.ts";

const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];

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
