/**
 * `conversation.json`: one message a line, so that a part of it can be written, kept and read by itself.
 *
 *     {"session_id":…,"messages":[
 *     {"id":"msg_4",…},            settled: these lines stay as they are, and nobody holds them in memory
 *     {"id":"msg_9",…}             the tail: written anew each time
 *     ],"omitted":3,"last_updated":…}
 *
 * It holds the newest messages, up to a limit: when it is full, a quarter of it makes room, the oldest first. `omitted`
 * tells how many messages were left out so far, where there are any.
 *
 * Readers must always find a whole document, so each version is a new file that takes the old one's name. The settled
 * part is copied by the kernel from one to the next (shared blocks where the file system has them, `copy_file_range`
 * elsewhere, on a thread of the pool). What we serialise and hold is only the tail, so a long conversation costs the
 * disk something and the server next to nothing.
 */
import type { Stats } from "node:fs";
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { copyFile, lstat, rename } from "node:fs/promises";
import type { Message } from "../contract/session/message.ts";
import type { Session } from "../contract/session/session.ts";
import type { Mark } from "./mark.ts";
import { lineOf, messagesOf } from "./message-line.ts";
import {
  closeOnFailure,
  createPlain,
  Damaged,
  discard,
  openPlain,
  readAt,
  writeAt,
} from "./plain-file.ts";
import { plainJson } from "./plain-text.ts";

/** A place between two messages. */
interface Position {
  bytes: number;
  messages: number;
}

/** Written at once; between two pieces others have their turn. */
const PIECE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

export class ConversationFile {
  readonly #path: string;
  readonly #head: Buffer;
  readonly #limit: number;
  #settled: Position;
  #omitted = 0;
  /** The file as it was left or found: another one has another writer. */
  #known: Stats | null = null;
  #draft: FileHandle | null = null;
  /** Where the turn's settled tool calls stand: an agent may add to them even when they are over. */
  readonly #toolCalls = new Map<string, Position>();

  /** Begins an empty conversation. */
  constructor(path: string, session: Session, limit: number) {
    this.#path = path;
    this.#limit = limit;
    this.#head = headOf(session);
    this.#settled = { bytes: this.#head.length, messages: 0 };
  }

  /** Goes on from a mark, and says what the newest message was. */
  async resume(mark: Mark): Promise<Message | null> {
    const { conversation_bytes: bytes, conversation_messages: messages } = mark;
    await using file = await openPlain(this.#path, constants.O_RDONLY);
    this.#known = await file.stat();
    this.#settled = { bytes, messages };
    this.#omitted = mark.conversation_omitted;
    const last = await this.#read(file, bytes, bytes + mark.last_message_bytes);
    return last.at(-1) ?? null;
  }

  /** Behind the messages that will not change. */
  get settled(): Position {
    return this.#settled;
  }

  /** How many messages are left out before them. */
  get omitted(): number {
    return this.#omitted;
  }

  /** Adds messages that will not change. They are seen with the next version. */
  async settle(messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return;
    let end = this.#settled;
    for (const message of messages) {
      if (message.role === "tool") this.#toolCalls.set(message.id, end);
      end = behind(end, message);
    }
    await this.#write(messages);
    this.#settled = end;
  }

  /** Takes settled messages back from a tool call on: it changes after all. None when it is not of this turn. */
  async unsettle(id: string): Promise<Message[]> {
    const from = this.#toolCalls.get(id);
    if (from === undefined) return [];
    const draft = await this.#openDraft();
    const messages = await this.#read(draft, from.bytes, this.#settled.bytes);
    for (const message of messages) this.#toolCalls.delete(message.id);
    this.#settled = from;
    return messages;
  }

  /** No tool call so far changes any more. */
  turnIsOver(): void {
    this.#toolCalls.clear();
  }

  /** Leaves out the oldest messages when all of them, with these behind them, are too large. Says whether it did. */
  async makeRoom(tail: readonly Message[]): Promise<boolean> {
    const { bytes } = tail.reduce(behind, this.#settled);
    const size = bytes - this.#head.length;
    if (size <= this.#limit || this.#settled.messages === 0) return false;
    await this.#leaveOut(size - Math.floor((this.#limit * 3) / 4));
    return true;
  }

  /** Gives readers a new version, the settled messages and these, and says how many bytes these take. */
  async publish(tail: readonly Message[], updated: string): Promise<number> {
    const shown = this.#fitting(tail);
    const omitted = this.#omitted + tail.length - shown.length;
    const end = shown.reduce(behind, this.#settled).bytes;
    const leftOut = omitted === 0 ? "" : `"omitted":${omitted},`;
    const foot = Buffer.from(
      `\n],${leftOut}"last_updated":${plainJson(updated)}}\n`,
    );
    const draft = await this.#write(shown);
    await writeAt(draft, foot, end);
    await draft.truncate(end + foot.length);
    this.#known = await draft.stat();
    await draft.close();
    this.#draft = null;
    await rename(this.#draftPath, this.#path);
    return end - this.#settled.bytes;
  }

  /** Of messages that can still change, too, the newest: a tool call that never ends holds up all behind it. */
  #fitting(tail: readonly Message[]): readonly Message[] {
    if (this.#settled.messages > 0) return tail;
    let size = 0;
    const over = tail.findLastIndex(
      (message) => (size += lineOf(message, false).length) > this.#limit,
    );
    return tail.slice(Math.min(over + 1, tail.length - 1));
  }

  /** Moves the newer messages of the draft over at least so many bytes of the older ones. */
  async #leaveOut(atLeast: number): Promise<void> {
    const draft = await this.#openDraft();
    const start = this.#head.length;
    const first = await this.#lineFrom(draft, start + atLeast);
    const { bytes } = this.#settled;
    for (let from = first.bytes; from < bytes; from += PIECE_BYTES) {
      const to = Math.min(from + PIECE_BYTES, bytes);
      const piece = await readAt(draft, this.#draftPath, from, to);
      await writeAt(draft, piece, start + from - first.bytes);
    }
    const moved = ({ bytes, messages }: Position): Position => ({
      // The first line has nothing that divides it from one before.
      bytes: Math.max(start, bytes + start - first.bytes),
      messages: messages - first.messages,
    });
    this.#settled = moved(this.#settled);
    this.#omitted += first.messages;
    for (const [id, position] of this.#toolCalls)
      if (position.messages < first.messages) this.#toolCalls.delete(id);
      else this.#toolCalls.set(id, moved(position));
  }

  /** The newline before the first settled message that begins at or behind a place; the end where there is none. */
  async #lineFrom(draft: FileHandle, place: number): Promise<Position> {
    let messages = -1;
    const { settled } = this;
    for (let from = this.#head.length; from < settled.bytes;) {
      const to = Math.min(from + PIECE_BYTES, settled.bytes);
      const piece = await readAt(draft, this.#draftPath, from, to);
      let at = piece.indexOf(NEWLINE);
      for (; at !== -1; at = piece.indexOf(NEWLINE, at + 1)) {
        messages += 1;
        if (from + at > place) return { bytes: from + at, messages };
      }
      from = to;
    }
    return settled;
  }

  /** Leaves readers with the version they have. */
  async abandon(): Promise<void> {
    if (this.#draft === null) return;
    await this.#draft.close();
    this.#draft = null;
    await discard(this.#draftPath);
  }

  get #draftPath(): string {
    return `${this.#path}.new`;
  }

  /** Writes these behind the settled ones. */
  async #write(messages: readonly Message[]): Promise<FileHandle> {
    const draft = await this.#openDraft();
    let { bytes, messages: count } = this.#settled;
    let batch: Buffer[] = [];
    let size = 0;
    const flush = async (): Promise<void> => {
      await writeAt(draft, Buffer.concat(batch), bytes);
      bytes += size;
      batch = [];
      size = 0;
    };
    for (const message of messages) {
      const line = lineOf(message, count === 0);
      batch.push(line);
      size += line.length;
      count += 1;
      if (size >= PIECE_BYTES) await flush();
    }
    await flush();
    return draft;
  }

  /** A file with the settled part in it, that nobody sees yet. */
  async #openDraft(): Promise<FileHandle> {
    this.#draft ??= await this.#makeDraft();
    return this.#draft;
  }

  async #makeDraft(): Promise<FileHandle> {
    if (this.#settled.messages === 0) {
      const draft = await createPlain(this.#draftPath);
      // Nobody knows it yet who could close it, and a file that is left open ends the process one day.
      return closeOnFailure(draft, () => writeAt(draft, this.#head, 0));
    }
    const found = await lstat(this.#path).catch(() => null);
    if (!isSame(found, this.#known)) throw new Damaged(this.#path);
    await discard(this.#draftPath);
    await copyFile(
      this.#path,
      this.#draftPath,
      constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE,
    );
    return openPlain(this.#draftPath, constants.O_RDWR);
  }

  async #read(file: FileHandle, from: number, to: number): Promise<Message[]> {
    const lines = await readAt(file, this.#path, from, to);
    try {
      return messagesOf(lines);
    } catch (error) {
      throw new Damaged(this.#path, { cause: error });
    }
  }
}

const isSame = (a: Stats | null, b: Stats | null): boolean =>
  a?.ino === b?.ino && a?.size === b?.size && a?.mtimeMs === b?.mtimeMs;

const behind = (position: Position, message: Message): Position => ({
  bytes: position.bytes + lineOf(message, position.messages === 0).length,
  messages: position.messages + 1,
});

const headOf = (session: Session): Buffer =>
  Buffer.from(
    `${plainJson({
      session_id: session.id,
      agent_name: session.agent,
      created_at: session.created_at,
    }).slice(0, -1)},"messages":[`,
  );
