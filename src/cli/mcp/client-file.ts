/** The configuration file of a program, and our entry in it. */
import { lstat, stat } from "node:fs/promises";
import { RepriseError } from "../../contract/problem/problem.ts";
import { readIfThere } from "../../kit/files/durable-file.ts";
import { hasErrno } from "../../kit/errno.ts";
import { editFile, whyLoop } from "../../kit/files/edit-file.ts";
import { octal } from "../../kit/files/own-file.ts";
import type { Surroundings } from "../../local/surroundings.ts";
import { clients, ENTRY, type McpClient, type Reach } from "./clients.ts";
import { memberIn, withMember, withoutMember } from "./edit-json.ts";
import { renderTable, tableIn, withoutTable, withTable } from "./edit-toml.ts";

export interface ClientFile {
  client: McpClient;
  path: string;
  /** Null when there is no such file. */
  text: string | null;
}

export const readClientFile = async (
  client: McpClient,
  { env }: Surroundings,
): Promise<ClientFile> => {
  const path = await clients[client].file(env);
  return { client, path, text: await readText(path) };
};

const readText = (path: string): Promise<string | null> =>
  readIfThere(path).catch((error: unknown) => {
    if (hasErrno(error, "ELOOP"))
      throw new RepriseError("wrong_state", whyLoop(path));
    throw error;
  });

/** Our entry as the file has it, in its own words; null when it has none. */
export const entryIn = (file: ClientFile): string | null => {
  const { section, format } = clients[file.client];
  const text = file.text ?? "";
  if (text.trim() === "") return null;
  return edited(file, () => {
    if (format === "toml") return tableIn(text, `${section}.${ENTRY}`);
    const entry = memberIn(text, [section, ENTRY]);
    return entry === undefined ? null : renderJson(entry);
  });
};

/** The entry as it is written, in the words of that program. */
export const renderEntry = (client: McpClient, reach: Reach): string => {
  const how = clients[client];
  return how.format === "toml"
    ? renderTable(`${how.section}.${ENTRY}`, how.entry(reach)).trimEnd()
    : renderJson(how.entry(reach));
};

const renderJson = (entry: unknown): string =>
  `"${ENTRY}": ${JSON.stringify(entry, null, 2)}`;

export const withEntry = (file: ClientFile, reach: Reach): string => {
  const how = clients[file.client];
  const text = file.text ?? "";
  return edited(file, () =>
    how.format === "toml"
      ? withTable(text, `${how.section}.${ENTRY}`, how.entry(reach))
      : withMember(text, [how.section, ENTRY], how.entry(reach)),
  );
};

export const withoutEntry = (file: ClientFile): string => {
  const { section, format } = clients[file.client];
  const text = file.text ?? "";
  return edited(file, () =>
    format === "toml"
      ? withoutTable(text, `${section}.${ENTRY}`)
      : withoutMember(text, [section, ENTRY]),
  );
};

/** A file that cannot be read for certain is its owner's to change. */
const edited = <T>({ client, path }: ClientFile, edit: () => T): T => {
  try {
    return edit();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new RepriseError(
      "wrong_state",
      `${path} cannot be edited: ${error.message}. Mend it, or change the entry by hand; \`reprise mcp install ${client} --print\` shows it.`,
    );
  }
};

/**
 * Writes what `edit` makes of the file, and keeps what its program changes at the same time: then `edit` is asked again. The
 * same text changes nothing. A file that holds nothing any more is removed; one that is a link into somebody's own files stays.
 */
export const editClientFile = async (
  client: McpClient,
  { env }: Surroundings,
  edit: (file: ClientFile) => string | Promise<string>,
): Promise<void> => {
  const path = await clients[client].file(env);
  const outcome = await editFile({
    path,
    edit: async (text) => {
      const next = await edit({ client, path, text });
      if (next === (text ?? "")) return text;
      return isEmpty(next) && !(await isLink(path)) ? null : next;
    },
  });
  if (outcome === "done") return;
  throw new RepriseError("wrong_state", `Nothing was changed. ${outcome.why}`);
};

const isEmpty = (text: string): boolean => /^\s*(\{\s*\})?\s*$/.test(text);

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );

/** Whether an entry is one that `install` writes: any program may have been called `reprise` before. */
export const isOurs = (entry: string): boolean =>
  /\burl"? *[:=] *"[^"]*\/mcp"/.test(entry) ||
  (/"mcp"/.test(entry) && /(\/|")reprise"/.test(entry));

/** A token is not written where others can read it. */
export const checkPrivate = async ({
  path,
  text,
}: ClientFile): Promise<void> => {
  if (text === null) return;
  const { mode } = await stat(path);
  if ((mode & 0o077) === 0) return;
  throw new RepriseError(
    "wrong_state",
    `${path} can be read by others (mode ${octal(mode)}), and the entry would hold the server's token. Run \`chmod 600\` on it first, or leave out --http.`,
  );
};
