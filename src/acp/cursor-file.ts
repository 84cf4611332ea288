/**
 * What a client has been told of a session, so that a door that is started again tells it the rest:
 *
 *   HOME/acp/<client>/<session>    <seq, 16 digits> <the client's newest prompt, or dashes>\n
 *
 * It is written in place after each update, without waiting for the disk: after a loss of power the client is gone as well.
 */
import { createHash } from "node:crypto";
import { closeSync, constants, openSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { PromptId, type SessionId } from "../contract/base/id.ts";
import { makeDirectory } from "../kit/files/make-directory.ts";
import { readOurs } from "../kit/files/own-file.ts";

export interface Cursor {
  seq: number;
  prompt: PromptId | null;
}

const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW;
const NO_PROMPT = "-".repeat(30);

/** The files of one client. */
export class CursorFiles {
  readonly #directory: string;

  /** A client's name is anybody's text, so the directory bears a digest of it. */
  constructor(home: string, client: string) {
    const name = createHash("sha256").update(client).digest("hex").slice(0, 16);
    this.#directory = join(home, "acp", name);
  }

  async read(session: SessionId): Promise<Cursor | null> {
    const text = await readOurs(this.#path(session)).catch(() => null);
    const [, seq, prompt] = /^(\d{16}) (\S{30})\n$/.exec(text ?? "") ?? [];
    if (seq === undefined) return null;
    return {
      seq: Number(seq),
      prompt: PromptId.safeParse(prompt).data ?? null,
    };
  }

  /** Null where the home cannot be written: then nothing is known after a restart, and all else works. */
  async open(session: SessionId): Promise<CursorFile | null> {
    try {
      await makeDirectory(dirname(this.#directory));
      await makeDirectory(this.#directory);
      return new CursorFile(openSync(this.#path(session), FLAGS, 0o600));
    } catch {
      return null;
    }
  }

  remove(session: SessionId): void {
    rmSync(this.#path(session), { force: true });
  }

  #path(session: SessionId): string {
    return join(this.#directory, session);
  }
}

export class CursorFile {
  /** Null once it is closed: its number may be another file's by then. */
  #file: number | null;
  constructor(file: number) {
    this.#file = file;
  }

  write({ seq, prompt }: Cursor): void {
    if (this.#file === null) return;
    const line = `${String(seq).padStart(16, "0")} ${prompt ?? NO_PROMPT}\n`;
    writeSync(this.#file, line, 0);
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
