/** The files under `sessions/<id>/`, kept by one writer. They repeat the journal for people and simple programs. */
import { join } from "node:path";
import type { Event } from "../contract/event/event.ts";
import type { Session } from "../contract/session/session.ts";
import { ConversationFile } from "./conversation-file.ts";
import { metadataDocument, summaryDocument } from "./documents.ts";
import { GrowingFile } from "./growing-file.ts";
import type { RecordLimits } from "./limits.ts";
import type { Mark } from "./mark.ts";
import { readMark } from "./mark.ts";
import {
  Damaged,
  discard,
  enterDirectory,
  replacePlain,
} from "./plain-file.ts";
import { RecordFold } from "./record-fold.ts";

/** Appended at once; between two pieces others have their turn. */
const PIECE_BYTES = 256 * 1024;

export class SessionFiles {
  readonly #directory: string;
  readonly #log: GrowingFile;
  readonly #history: GrowingFile;
  readonly #conversation: ConversationFile;
  readonly #fold: RecordFold;
  #session: Session;
  #mark: Mark | null;
  #seq: number;

  private constructor(parts: {
    directory: string;
    session: Session;
    log: GrowingFile;
    history: GrowingFile;
    conversation: ConversationFile;
    fold: RecordFold;
    mark: Mark | null;
  }) {
    this.#directory = parts.directory;
    this.#session = parts.session;
    this.#log = parts.log;
    this.#history = parts.history;
    this.#conversation = parts.conversation;
    this.#fold = parts.fold;
    this.#mark = parts.mark;
    this.#seq = parts.mark?.last_seq ?? 0;
  }

  /** Goes on where the files end when they are as they were left; starts them over otherwise. */
  static async open(
    directory: string,
    session: Session,
    limits: RecordLimits,
  ): Promise<SessionFiles> {
    await enterDirectory(directory);
    const metadata = join(directory, "metadata.json");
    const mark = await readMark(metadata);
    if (mark !== null && mark.last_seq <= session.last_seq)
      try {
        return await SessionFiles.#openAt(directory, session, limits, mark);
      } catch (error) {
        if (!(error instanceof Damaged)) throw error;
      }
    // While new files grow, nobody may go by a mark of the old ones.
    await discard(metadata);
    return SessionFiles.#openAt(directory, session, limits, null);
  }

  static async #openAt(
    directory: string,
    session: Session,
    { conversationBytes, fileBytes }: RecordLimits,
    mark: Mark | null,
  ): Promise<SessionFiles> {
    const conversation = new ConversationFile(
      join(directory, "conversation.json"),
      session,
      conversationBytes,
    );
    const last = mark === null ? null : await conversation.resume(mark);
    const open = (name: string, length: number | undefined) =>
      length === undefined
        ? GrowingFile.create(join(directory, name), fileBytes)
        : GrowingFile.open(join(directory, name), fileBytes, length);
    return new SessionFiles({
      directory,
      session,
      log: await open("session.log", mark?.log_bytes),
      history: await open("history.jsonl", mark?.history_bytes),
      conversation,
      fold: new RecordFold(directory, last),
      mark,
    });
  }

  /** The last event that was written. */
  get seq(): number {
    return this.#seq;
  }

  /** Adds to the log and to the history; the documents say it when they are published. */
  async write(events: readonly Event[]): Promise<void> {
    for (const event of events) {
      const missing = this.#fold.tail.missing(event);
      if (missing !== null)
        this.#fold.tail.takeBack(await this.#conversation.unsettle(missing));
      const page = this.#fold.write(event);
      this.#seq = event.seq;
      await this.#add(this.#log, page.log);
      await this.#add(this.#history, page.history);
      if (this.#waitingBytes >= PIECE_BYTES) await this.#flush();
    }
    await this.#flush();
  }

  /** Puts what will not change on disk: nobody sees it yet, and nobody holds it in memory any more. */
  async settle(): Promise<void> {
    await this.#conversation.settle(this.#fold.takeSettled());
    if (await this.#conversation.makeRoom(this.#fold.tail.messages))
      await this.#dropMark();
  }

  /** Gives readers a conversation that says all that was written. */
  async publishConversation(session: Session): Promise<void> {
    this.#session = session;
    await enterDirectory(this.#directory);
    await this.settle();
    const tailBytes = await this.#conversation.publish(
      this.#fold.tail.messages,
      session.last_active_at,
    );
    if (!this.#fold.isBetweenTurns) return;
    this.#conversation.turnIsOver();
    this.#mark = this.#markHere(tailBytes);
  }

  /** The short documents. The mark goes last: what it speaks of is there. */
  async publishDetails(session: Session): Promise<void> {
    this.#session = session;
    const { settled, omitted } = this.#conversation;
    const count = omitted + settled.messages + this.#fold.tail.messages.length;
    await replacePlain(
      join(this.#directory, "summary.json"),
      summaryDocument(session, count),
    );
    await this.#publishMetadata();
  }

  /** Leaves the files as they are: whoever opens them goes on from their mark. */
  abandon(): Promise<void> {
    return this.#conversation.abandon();
  }

  /** Where a file is full depends on the entries alone, not on when they are written. */
  async #add(file: GrowingFile, entry: string): Promise<void> {
    if (!file.hasRoomFor(entry)) {
      await this.#flush();
      await this.#dropMark();
      await file.rotate();
    }
    file.add(entry);
  }

  get #waitingBytes(): number {
    return this.#log.waitingBytes + this.#history.waitingBytes;
  }

  /** Words that go on are in neither: nothing is touched for them. */
  async #flush(): Promise<void> {
    if (this.#waitingBytes === 0) return;
    await enterDirectory(this.#directory);
    await this.#log.flush();
    await this.#history.flush();
  }

  /** What a mark speaks of is about to be replaced: a server that comes now makes the files anew. */
  async #dropMark(): Promise<void> {
    if (this.#mark === null) return;
    this.#mark = null;
    await enterDirectory(this.#directory);
    await this.#publishMetadata();
  }

  #publishMetadata(): Promise<void> {
    const newest = this.#fold.tail.messages.at(-1)?.at ?? null;
    return replacePlain(
      join(this.#directory, "metadata.json"),
      metadataDocument(this.#session, newest, this.#mark),
    );
  }

  /** Between turns the tail is the newest message and no other. */
  #markHere(tailBytes: number): Mark {
    const { settled, omitted } = this.#conversation;
    return {
      format: 2,
      last_seq: this.#seq,
      log_bytes: this.#log.length,
      history_bytes: this.#history.length,
      conversation_omitted: omitted,
      conversation_messages: settled.messages,
      conversation_bytes: settled.bytes,
      last_message_bytes: tailBytes,
    };
  }
}
