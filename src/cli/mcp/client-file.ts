/** The configuration file of a program, and our entry in it. */
import { chmod, lstat, mkdir, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { RepriseError } from "../../contract/problem/problem.ts";
import {
  readIfThere,
  remove,
  writeDurably,
} from "../../kit/files/durable-file.ts";
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
  return { client, path, text: await readIfThere(path) };
};

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

/** A link is followed, so that a file kept elsewhere stays there; who may read the file stays as it is. */
export const writeClientFile = async (
  { path, text }: ClientFile,
  next: string,
): Promise<void> => {
  if (text === null) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeDurably(path, next);
    return;
  }
  const real = await realpath(path);
  const { mode } = await stat(real);
  await writeDurably(real, next, mode & 0o777);
  // The umask may have taken something away.
  await chmod(real, mode & 0o777);
};

/** A file that holds nothing any more goes with the entry; one that is a link into somebody's own files stays. */
export const putBack = async (file: ClientFile, next: string): Promise<void> =>
  /^\s*(\{\s*\})?\s*$/.test(next) && !(await isLink(file.path))
    ? remove(file.path)
    : writeClientFile(file, next);

const isLink = async (path: string): Promise<boolean> =>
  (await lstat(path)).isSymbolicLink();

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
