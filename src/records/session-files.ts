/** The files under `sessions/<id>/`, kept by one writer. They repeat the journal for people and simple programs. */
import { join } from "node:path";
import type { Event } from "../contract/event.ts";
import type { Session } from "../contract/session.ts";
import { ConversationFile } from "./conversation-file.ts";
import { metadataDocument, summaryDocument } from "./documents.ts";
import { GrowingFile } from "./growing-file.ts";
import type { Mark } from "./mark.ts";
import { readMark } from "./mark.ts";
import {
  Damaged,
  discard,
  enterDirectory,
  replacePlain,
} from "./plain-file.ts";
import { Scribe } from "./scribe.ts";

/** Appended at once; between two pieces others have their turn. */
const PIECE_CHARACTERS = 256 * 1024;

export class SessionFiles {
  readonly #directory: string;
  readonly #log: GrowingFile;
  readonly #history: GrowingFile;
  readonly #conversation: ConversationFile;
  readonly #scribe: Scribe;
  #mark: Mark | null;
  #seq: number;

  private constructor(parts: {
    directory: string;
    log: GrowingFile;
    history: GrowingFile;
    conversation: ConversationFile;
    scribe: Scribe;
    mark: Mark | null;
  }) {
    this.#directory = parts.directory;
    this.#log = parts.log;
    this.#history = parts.history;
    this.#conversation = parts.conversation;
    this.#scribe = parts.scribe;
    this.#mark = parts.mark;
    this.#seq = parts.mark?.last_seq ?? 0;
  }

  /** Goes on where the files end when they are as they were left; starts them over otherwise. */
  static async open(
    directory: string,
    session: Session,
  ): Promise<SessionFiles> {
    await enterDirectory(directory);
    const metadata = join(directory, "metadata.json");
    const mark = await readMark(metadata);
    if (mark !== null && mark.last_seq <= session.last_seq)
      try {
        return await SessionFiles.#openAt(directory, session, mark);
      } catch (error) {
        if (!(error instanceof Damaged)) throw error;
      }
    // While new files grow, nobody may go by a mark of the old ones.
    await discard(metadata);
    return SessionFiles.#openAt(directory, session, null);
  }

  static async #openAt(
    directory: string,
    session: Session,
    mark: Mark | null,
  ): Promise<SessionFiles> {
    const conversation = new ConversationFile(
      join(directory, "conversation.json"),
      session,
    );
    const last = mark === null ? null : await conversation.resume(mark);
    return new SessionFiles({
      directory,
      log: await GrowingFile.open(
        join(directory, "session.log"),
        mark?.log_bytes ?? 0,
      ),
      history: await GrowingFile.open(
        join(directory, "history.jsonl"),
        mark?.history_bytes ?? 0,
      ),
      conversation,
      scribe: new Scribe(directory, last),
      mark,
    });
  }

  /** The last event that was written. */
  get seq(): number {
    return this.#seq;
  }

  /** Adds to the log and to the history; the documents say it when they are published. */
  async write(events: readonly Event[]): Promise<void> {
    let log = "";
    let history = "";
    for (const event of events) {
      const missing = this.#scribe.tail.missing(event);
      if (missing !== null)
        this.#scribe.tail.takeBack(await this.#conversation.unsettle(missing));
      const page = this.#scribe.write(event);
      this.#seq = event.seq;
      log += page.log;
      history += page.history;
      if (log.length + history.length < PIECE_CHARACTERS) continue;
      await this.#append(log, history);
      log = history = "";
    }
    await this.#append(log, history);
  }

  /** Puts what will not change on disk: nobody sees it yet, and nobody holds it in memory any more. */
  async settle(): Promise<void> {
    await this.#conversation.settle(this.#scribe.takeSettled());
  }

  /** Gives readers a conversation that says all that was written. */
  async publishConversation(session: Session): Promise<void> {
    await enterDirectory(this.#directory);
    await this.settle();
    const tailBytes = await this.#conversation.publish(
      this.#scribe.tail.messages,
      session.last_active_at,
    );
    if (!this.#scribe.isBetweenTurns) return;
    this.#conversation.turnIsOver();
    this.#mark = this.#markHere(tailBytes);
  }

  /** The short documents. The mark goes last: what it speaks of is there. */
  async publishDetails(session: Session): Promise<void> {
    const { messages } = this.#scribe.tail;
    const count = this.#conversation.settled.messages + messages.length;
    await replacePlain(
      join(this.#directory, "summary.json"),
      summaryDocument(session, count),
    );
    await replacePlain(
      join(this.#directory, "metadata.json"),
      metadataDocument(session, messages.at(-1)?.at ?? null, this.#mark),
    );
  }

  /** Leaves the files as they are: whoever opens them goes on from their mark. */
  abandon(): Promise<void> {
    return this.#conversation.abandon();
  }

  /** Words that go on are in neither: nothing is touched for them. */
  async #append(log: string, history: string): Promise<void> {
    if (log === "" && history === "") return;
    await enterDirectory(this.#directory);
    await this.#log.append(log);
    await this.#history.append(history);
  }

  /** Between turns the tail is the newest message and no other. */
  #markHere(tailBytes: number): Mark {
    const { settled } = this.#conversation;
    return {
      format: 2,
      last_seq: this.#seq,
      log_bytes: this.#log.length,
      history_bytes: this.#history.length,
      conversation_messages: settled.messages,
      conversation_bytes: settled.bytes,
      last_message_bytes: tailBytes,
    };
  }
}
