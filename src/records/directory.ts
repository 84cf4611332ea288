import { createWriteStream } from "node:fs";
import { appendFile, mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Message } from "../contract/message.ts";
import type { Session } from "../contract/session.ts";
import {
  conversationDocument,
  metadataDocument,
  summaryDocument,
} from "./documents.ts";
import type { Page } from "./scribe.ts";

const MODE = 0o600;

/** The files under `sessions/<id>/`. They repeat the journal for people and simple programs: nothing depends on them. */
export class SessionDirectory {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Starts over with what the journal says. */
  async rewrite(page: Page): Promise<void> {
    await mkdir(this.#path, { recursive: true, mode: 0o700 });
    await this.#replace("session.log", [page.log]);
    await this.#replace("history.jsonl", [page.history]);
  }

  async append(page: Page): Promise<void> {
    if (page.log !== "")
      await appendFile(join(this.#path, "session.log"), page.log, {
        mode: MODE,
      });
    if (page.history !== "")
      await appendFile(join(this.#path, "history.jsonl"), page.history, {
        mode: MODE,
      });
  }

  async documents(
    session: Session,
    messages: readonly Message[],
  ): Promise<void> {
    await this.#replace(
      "conversation.json",
      conversationDocument(session, [...messages]),
    );
    await this.#json("summary.json", summaryDocument(session, messages));
    await this.#json("metadata.json", metadataDocument(session, messages));
  }

  async #json(name: string, document: object): Promise<void> {
    const path = join(this.#path, name);
    await writeFile(`${path}.new`, `${JSON.stringify(document, null, 2)}\n`, {
      mode: MODE,
    });
    await rename(`${path}.new`, path);
  }

  /** Readers see the old file or the new one, never half of one. */
  async #replace(name: string, pieces: Iterable<string>): Promise<void> {
    const path = join(this.#path, name);
    await pipeline(
      Readable.from(pieces),
      createWriteStream(`${path}.new`, { mode: MODE }),
    );
    await rename(`${path}.new`, path);
  }
}
