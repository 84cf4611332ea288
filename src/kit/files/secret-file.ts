import { randomBytes } from "node:crypto";
import { createDurably } from "./durable-file.ts";
import { readOurs } from "./own-file.ts";
import { UnusableFile } from "./unusable-file.ts";

/** 32 random bytes in hex. */
const SECRET = /^[0-9a-f]{64}$/;

/**
 * A secret that programs of ours share by a file, made by whoever needs it first. A file that holds anything else is
 * refused and not replaced: a program that runs may go by what it held.
 */
export const loadOrMakeSecret = async (path: string): Promise<string> => {
  const secret = (await read(path)) ?? (await make(path));
  if (SECRET.test(secret)) return secret;
  throw new UnusableFile(
    "no_secret",
    `${path} does not hold a token. Remove the file to get a new one, and stop what runs with the old one.`,
  );
};

const read = async (path: string): Promise<string | null> =>
  (await readOurs(path))?.trim() ?? null;

/** When another makes it at the same time, it is the other's. */
const make = async (path: string): Promise<string> => {
  await createDurably(path, `${randomBytes(32).toString("hex")}\n`);
  return (await read(path)) ?? "";
};
