/** Files that go with a prompt: images as images, texts as texts. */
import { readFile, stat } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ContentBlock } from "../../contract/base/content.ts";
import { MAX_PROMPT_BYTES } from "../../contract/api/request.ts";
import { UsageError } from "../parsing/usage-error.ts";
import type { World } from "../terminal/world.ts";

export const attachOption = {
  kind: "list",
  value: "FILE",
  help: "a file that goes with the prompt: an image, or a text; may be repeated",
} as const;

export const attachmentsOf = (
  { cwd }: Pick<World, "cwd">,
  files: readonly string[],
): Promise<ContentBlock[]> =>
  Promise.all(files.map((file) => attachment(resolve(cwd, file))));

const images: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};

const attachment = async (path: string): Promise<ContentBlock> => {
  const bytes = await contents(path);
  const mime_type = images[extname(path).toLowerCase()];
  if (mime_type !== undefined)
    return { type: "image", mime_type, data: bytes.toString("base64") };
  const uri = pathToFileURL(path).href;
  return {
    type: "resource",
    uri,
    mime_type: "text/plain",
    text: textIn(path, bytes),
  };
};

const contents = async (path: string): Promise<Buffer> => {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile())
    throw new UsageError(`${path} is no file that could be attached.`);
  if (found.size > MAX_PROMPT_BYTES)
    throw new UsageError(
      `${path} has ${found.size} bytes, at most ${MAX_PROMPT_BYTES} can be attached. Name its path in the prompt instead.`,
    );
  return readFile(path).catch((error: unknown) => {
    throw new UsageError(`${path} cannot be read: ${String(error)}.`);
  });
};

const textIn = (path: string, bytes: Uint8Array): string => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // It is said below.
  }
  throw new UsageError(
    `${path} is neither an image (${Object.keys(images).join(", ")}) nor text in UTF-8. Name its path in the prompt instead.`,
  );
};
