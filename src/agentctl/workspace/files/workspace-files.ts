import { close, read } from "node:fs";
import { promisify } from "node:util";
import {
  fromText,
  fsPath,
  join,
  toText,
  type ByteString,
} from "../../../checkpoint/format/byte-string.ts";
import type { LinkParams } from "../../../contract/link/link.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import type {
  FileHead,
  ReadFile,
  WriteFile,
} from "../../../contract/link/link-files.ts";
import { MAX_WRITE_BYTES } from "../../../contract/base/file-limits.ts";
import type { Directories } from "../../../contract/session/directories.ts";
import type {
  DirectoryPage,
  WrittenFile,
} from "../../../contract/session/workspace-file.ts";
import { remove, writeDraftOf } from "../../../kit/files/durable-file.ts";
import type { CheckpointStorage } from "../../storage/checkpoint-storage.ts";
import { FileThreads } from "./file-threads.ts";
import { pathError } from "./held.ts";

const PIECE_BYTES = 256 * 1024;

export interface OpenedFile {
  head: FileHead;
  /** Read it to its end, or not at all: then close it. */
  content: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** The files of workspaces, whether an agent works in them or not. */
export class WorkspaceFiles {
  readonly #storage: Pick<CheckpointStorage, "vault" | "locks">;
  readonly #threads = new FileThreads();

  constructor(storage: Pick<CheckpointStorage, "vault" | "locks">) {
    this.#storage = storage;
  }

  list(order: LinkParams<"list_files">): Promise<DirectoryPage> {
    return this.#threads.call("list", order);
  }

  /** Of the machine, by the beginning of a path. */
  directories(order: LinkParams<"list_directories">): Promise<Directories> {
    return this.#threads.call("directories", order);
  }

  async open(order: ReadFile): Promise<OpenedFile> {
    const { head, descriptor } = await this.#threads.call("open", order);
    return {
      head,
      content: descriptor === null ? none() : bytesOf(descriptor, head),
      close: async () => {
        if (descriptor !== null) await closeDescriptor(descriptor);
      },
    };
  }

  /** Does something in a directory, which stays the same one whatever becomes of its name. */
  async inDirectory<T>(
    order: { cwd: string; path: string },
    work: (cwd: string, above: string) => Promise<T>,
  ): Promise<T> {
    const { cwd, path } = order;
    const held = await this.#threads.call("hold", { cwd, path });
    const { descriptor } = held.directory;
    try {
      // By our own number: a process that is being started has another `self`.
      const at =
        descriptor === null
          ? held.directory.path
          : `/proc/${process.pid}/fd/${descriptor}`;
      return await work(at, held.above);
    } finally {
      if (descriptor !== null) await closeDescriptor(descriptor);
    }
  }

  /** The file is what came, or what it was: nothing in between is ever seen under its name. */
  async put(
    order: WriteFile,
    content: AsyncIterable<Uint8Array>,
  ): Promise<WrittenFile> {
    const prepared = await this.#threads.call("prepare", order);
    const { descriptor } = prepared.directory;
    try {
      const above = join(fromText(order.cwd), fromText(prepared.above));
      const vault = await this.#storage.vault();
      // Noted first: a checkpoint passes it over, and the next agentctl removes it should this one die.
      const note = await vault.beginWrite(above);
      try {
        const path = join(fromText(prepared.directory.path), note.name);
        return await this.#putDraft(order, path, content);
      } finally {
        await vault.endWrite(note.id);
      }
    } finally {
      if (descriptor !== null) await closeDescriptor(descriptor);
    }
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }

  async #putDraft(
    order: WriteFile,
    path: ByteString,
    content: AsyncIterable<Uint8Array>,
  ): Promise<WrittenFile> {
    try {
      await writeDraftOf(fsPath(path), limited(content)).catch(
        (error: unknown) => {
          throw pathError(error);
        },
      );
      const draft = toText(path);
      // A checkpoint or a rewind that is under way comes first.
      return await this.#storage.locks.hold(order.cwd, () =>
        this.#threads.call("commit", { order, draft }),
      );
    } catch (error) {
      await remove(fsPath(path));
      throw error;
    }
  }
}

async function* limited(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of content) {
    size += piece.length;
    if (size > MAX_WRITE_BYTES) throw tooLarge();
    yield piece;
  }
}

async function* bytesOf(
  descriptor: number,
  head: FileHead,
): AsyncGenerator<Uint8Array> {
  if (head.kind === "directory") return;
  const end = head.start + head.length;
  for (let at = head.start; at < end;) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, end - at));
    const { bytesRead } = await readPiece(
      descriptor,
      piece,
      0,
      piece.length,
      at,
    );
    if (bytesRead === 0)
      throw new LinkError(
        "internal",
        "the file was cut short while it was read",
      );
    at += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

async function* none(): AsyncGenerator<Uint8Array> {}

const tooLarge = (): LinkError =>
  new LinkError(
    "file_too_large",
    `A file that is written here has at most ${MAX_WRITE_BYTES} bytes. Nothing was written.`,
  );

const closeDescriptor = promisify(close);
const readPiece = promisify(read);
