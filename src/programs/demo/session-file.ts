/**
 * The agent's own record of a session: a line of JSON for its header, then one for each prompt it took and each answer
 * it finished. Only ever appended to, and flushed line by line.
 */
import { RequestError } from "@agentclientprotocol/sdk/unstable";
import { open, mkdir, readFile, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod";
import { RESOURCE_NOT_FOUND } from "../../agents/agent/acp-error.ts";

const at = z.iso.datetime();
const Header = z.object({
  type: z.literal("session"),
  version: z.literal(1),
  id: z.string(),
  cwd: z.string(),
  at,
  forked_from: z.string().optional(),
});
const Entry = z.discriminatedUnion("type", [
  z.object({ type: z.literal("prompt"), at, text: z.string() }),
  z.object({
    type: z.literal("answer"),
    at,
    text: z.string(),
    stop_reason: z.string(),
  }),
]);
export type Header = z.infer<typeof Header>;
export type Entry = z.infer<typeof Entry>;

export class SessionFile {
  #file: FileHandle;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** A new file; it must not exist. */
  static async create(
    path: string,
    header: Header,
    entries: readonly Entry[],
  ): Promise<SessionFile> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const session = new SessionFile(await open(path, "ax", 0o600));
    await session.#append([header, ...entries]);
    await flushDirectory(dirname(path));
    return session;
  }

  /** An existing file with what it holds. One damaged line makes all of it suspect: better no memory than a false one. */
  static async open(
    path: string,
    id: string,
  ): Promise<{ file: SessionFile; entries: Entry[] }> {
    const entries = await readEntries(path, id);
    return { file: new SessionFile(await open(path, "a", 0o600)), entries };
  }

  append(entry: Entry): Promise<void> {
    return this.#append([entry]);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #append(records: readonly (Header | Entry)[]): Promise<void> {
    const lines = records.map((record) => `${JSON.stringify(record)}\n`);
    await this.#file.appendFile(lines.join(""));
    await this.#file.datasync();
  }
}

export const notFoundOrDamaged = (sessionId: string): RequestError =>
  new RequestError(RESOURCE_NOT_FOUND, "session not found or damaged", {
    sessionId,
  });

const readEntries = async (path: string, id: string): Promise<Entry[]> => {
  try {
    const lines = (await readFile(path, "utf8")).split("\n");
    if (lines.pop() !== "") throw notFoundOrDamaged(id);
    const [first, ...rest] = lines.map((line): unknown => JSON.parse(line));
    if (Header.parse(first).id !== id) throw notFoundOrDamaged(id);
    return rest.map((record) => Entry.parse(record));
  } catch {
    throw notFoundOrDamaged(id);
  }
};

/** The name of a new file survives a power cut only after this. */
const flushDirectory = async (path: string): Promise<void> => {
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
};
