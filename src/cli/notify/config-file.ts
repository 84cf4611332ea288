/** Changes `notify` in `config.json` and nothing else. */
import { join } from "node:path";
import * as z from "zod";
import { Config, configIssues } from "../../contract/api/config.ts";
import type { NotifySettings } from "../../contract/api/webhook-settings.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { hasErrno } from "../../kit/errno.ts";
import { editFile, whyLoop } from "../../kit/files/edit-file.ts";
import { readOurs } from "../../kit/files/own-file.ts";
import { UnusableFile } from "../../kit/files/unusable-file.ts";

const Document = z.record(z.string(), z.unknown());
type Document = z.infer<typeof Document>;

export const readNotify = async (home: string): Promise<NotifySettings> =>
  fitting(await read(home), home).notify;

/**
 * Resolves with the settings as they are now. A file that cannot be read or does not fit is left alone, and what others change
 * at the same time is kept.
 */
export const changeNotify = async (
  home: string,
  change: Partial<NotifySettings>,
): Promise<NotifySettings> => {
  const path = pathIn(home);
  const outcome = await editFile({
    path,
    read: readText,
    edit: (text) => {
      const before = documentIn(text, path);
      const { notify } = fitting(before, home);
      const after = { ...before, notify: { ...notify, ...change } };
      fitting(after, home);
      return `${JSON.stringify(after, null, 2)}\n`;
    },
  });
  if (outcome === "done") return readNotify(home);
  throw unusable(outcome.why);
};

const pathIn = (home: string): string => join(home, "config.json");

const read = async (home: string): Promise<Document> => {
  const path = pathIn(home);
  return documentIn(await readText(path), path);
};

const readText = (path: string): Promise<string | null> =>
  readOurs(path).catch((error: unknown) => {
    if (error instanceof UnusableFile)
      throw unusable(error.message.replace(/\.?$/, "."));
    if (hasErrno(error, "ELOOP")) throw unusable(whyLoop(path));
    throw error;
  });

const documentIn = (text: string | null, path: string): Document => {
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

const unusable = (words: string): RepriseError =>
  new RepriseError("home_unusable", `${words} Nothing was changed.`);
