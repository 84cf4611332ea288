/** Changes `notify` in `config.json` and nothing else. */
import { mkdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { Config, configIssues } from "../../contract/api/config.ts";
import type { NotifySettings } from "../../contract/api/webhook-settings.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { writeDurably } from "../../kit/files/durable-file.ts";
import { readOurs } from "../../kit/files/own-file.ts";
import { UnusableFile } from "../../kit/files/unusable-file.ts";
import { hasErrno } from "../../kit/errno.ts";

const Document = z.record(z.string(), z.unknown());
type Document = z.infer<typeof Document>;

export const readNotify = async (home: string): Promise<NotifySettings> =>
  fitting(await read(home), home).notify;

/** Resolves with the settings as they are now. A file that cannot be read or does not fit is left alone. */
export const changeNotify = async (
  home: string,
  change: Partial<NotifySettings>,
): Promise<NotifySettings> => {
  const before = await read(home);
  const { notify } = fitting(before, home);
  const after = { ...before, notify: { ...notify, ...change } };
  const { notify: changed } = fitting(after, home);
  await write(home, `${JSON.stringify(after, null, 2)}\n`);
  return changed;
};

const pathIn = (home: string): string => join(home, "config.json");

const read = async (home: string): Promise<Document> => {
  const path = pathIn(home);
  const text = await readOurs(path).catch((error: unknown) => {
    if (error instanceof UnusableFile) throw unusable(error.message);
    throw error;
  });
  if (text === null) return {};
  try {
    return Document.parse(JSON.parse(text));
  } catch {
    throw unusable(`${path} is not a JSON object.`);
  }
};

const fitting = (document: Document, home: string): Config => {
  const { data, error } = Config.safeParse(document);
  if (data !== undefined) return data;
  throw unusable(
    `${pathIn(home)} does not fit: ${configIssues(error).join("; ")}.`,
  );
};

/** What is behind a link is changed, and the link stays. */
const write = async (home: string, text: string): Promise<void> => {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const path = await realpath(pathIn(home)).catch((error: unknown) => {
    if (hasErrno(error, "ENOENT")) return pathIn(home);
    throw error;
  });
  const found = await stat(path).catch(() => null);
  await writeDurably(path, text, found === null ? 0o600 : found.mode & 0o777);
};

const unusable = (words: string): RepriseError =>
  new RepriseError("home_unusable", `${words} Nothing was changed.`);
