/** Secrets of channels, read from their files when they are needed, so that a changed one holds at once. */
import { readPrivate } from "../../kit/files/private-file.ts";
import { UnusableFile } from "../../kit/files/unusable-file.ts";
import { keysIn } from "../message/signature.ts";

/** What is in a file, or why it cannot be used, in words that tell nothing of it. */
export type Secret<T> = { value: T } | { problem: string };

export const readKeys = async (path: string): Promise<Secret<Buffer[]>> => {
  const read = await readSecret(path);
  if ("problem" in read) return read;
  const keys = keysIn(read.value);
  return keys === null
    ? {
        problem: `${path} holds no secret: it must be "whsec_" and the base64 text of 24 to 64 bytes, one per line.`,
      }
    : { value: keys };
};

export const readToken = async (path: string): Promise<Secret<string>> => {
  const read = await readSecret(path);
  if ("problem" in read) return read;
  const token = read.value.trim();
  return /^[\x21-\x7e]+$/.test(token)
    ? { value: token }
    : { problem: `${path} holds no token: it must be one line of text.` };
};

const readSecret = async (path: string): Promise<Secret<string>> => {
  try {
    const value = await readPrivate(path);
    return value === null
      ? { problem: `There is no file ${path}.` }
      : { value };
  } catch (error) {
    return {
      problem:
        error instanceof UnusableFile
          ? error.message
          : `${path} cannot be read.`,
    };
  }
};
