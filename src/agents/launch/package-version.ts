import { realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { readPlain } from "../../kit/files/read-plain.ts";
import { remember } from "./remember.ts";

/** What was read, by path: good for as long as the program's file is the same. */
const known = new Map<string, { mtimeMs: number; version: string }>();

/** The version of the package that a program belongs to; null when it belongs to none. */
export const packageVersion = async (file: string): Promise<string | null> => {
  const program = await realpath(file);
  const { mtimeMs } = await stat(program);
  const before = known.get(program);
  if (before?.mtimeMs === mtimeMs) return before.version;
  const version = await versionAbove(dirname(program));
  // What cannot be read now may be readable later.
  if (version !== null) remember(known, program, { mtimeMs, version });
  return version;
};

const Package = z.object({ name: z.string(), version: z.string().max(256) });

/** No package says that much of itself. */
const LONGEST = 1024 * 1024;

/** A package may hold other package.json files, without a version, that only say what kind of modules are beside them. */
const versionAbove = async (directory: string): Promise<string | null> => {
  // Outside node_modules the next package.json is somebody else's.
  if (!directory.includes("/node_modules/")) return null;
  // A project brings this file, and anything may have its name.
  const text = await readPlain(join(directory, "package.json"), LONGEST, {
    follow: true,
  }).catch(() => null);
  const found = text === null ? undefined : Package.safeParse(parse(text)).data;
  return found?.version ?? versionAbove(dirname(directory));
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
