/**
 * `conversation.json`: one message a line, so that a part of it can be written, kept and read by itself.
 *
 *     {"session_id":…,"messages":[
 *     {"id":"msg_4",…},            settled: these lines stay as they are, and nobody holds them in memory
 *     {"id":"msg_9",…}             the tail: written anew each time
 *     ],"last_updated":…}
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
import type { Message } from "../contract/message.ts";
import type { Session } from "../contract/session.ts";
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

export class ConversationFile {
  readonly #path: string;
  readonly #head: Buffer;
  #settled: Position;
  /** The file as it was left or found: another one has another writer. */
  #known: Stats | null = null;
  #draft: FileHandle | null = null;
  /** Where the turn's settled tool calls stand: an agent may add to them even when they are over. */
  readonly #toolCalls = new Map<string, Position>();

  /** Begins an empty conversation. */
  constructor(path: string, session: Session) {
    this.#path = path;
    this.#head = headOf(session);
    this.#settled = { bytes: this.#head.length, messages: 0 };
  }

  /** Goes on from a mark, and says what the newest message was. */
  async resume(mark: Mark): Promise<Message | null> {
    const { conversation_bytes: bytes, conversation_messages: messages } = mark;
    await using file = await openPlain(this.#path, constants.O_RDONLY);
    this.#known = await file.stat();
    this.#settled = { bytes, messages };
    const last = await this.#read(file, bytes, bytes + mark.last_message_bytes);
    return last.at(-1) ?? null;
  }

  /** Behind the messages that will not change. */
  get settled(): Position {
    return this.#settled;
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

  /** Gives readers a new version, the settled messages and these, and says how many bytes these take. */
  async publish(tail: readonly Message[], updated: string): Promise<number> {
    const end = tail.reduce(behind, this.#settled).bytes;
    const foot = Buffer.from(`\n],"last_updated":${plainJson(updated)}}\n`);
    const draft = await this.#write(tail);
    await writeAt(draft, foot, end);
    await draft.truncate(end + foot.length);
    this.#known = await draft.stat();
    await draft.close();
    this.#draft = null;
    await rename(this.#draftPath, this.#path);
    return end - this.#settled.bytes;
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
    let held: Buffer[] = [];
    let size = 0;
    const flush = async (): Promise<void> => {
      await writeAt(draft, Buffer.concat(held), bytes);
      bytes += size;
      held = [];
      size = 0;
    };
    for (const message of messages) {
      const line = lineOf(message, count === 0);
      held.push(line);
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
