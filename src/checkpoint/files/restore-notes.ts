import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import {
  readIfThere,
  remove,
  writeDurably,
} from "../../kit/files/durable-file.ts";
import { makeDirectory } from "../../kit/files/make-directory.ts";
import {
  fromText,
  fsPath,
  join as joinBytes,
  toText,
  type ByteString,
} from "../format/byte-string.ts";
import { onOwnFiles } from "../format/failure.ts";
import {
  draftDirectoryName,
  draftFileName,
  newRestoreId,
} from "./draft-name.ts";
import { namesIn } from "./look.ts";

/**
 * What is made under an id: files in a workspace, a workspace beside the place where it will be, or one file in this
 * directory of a workspace, of which a person or a program sends the content.
 */
const Note = z.object({
  kind: z.enum(["files", "directory", "write"]),
  path: z.string(),
});
type Note = z.infer<typeof Note>;

/** Restores that may have left something unfinished: each is noted before it makes anything, until it is over. */
export class RestoreNotes {
  readonly folder: string;
  readonly #notes: Map<string, Note>;
  readonly #warn: (warning: string) => void;

  private constructor(
    folder: string,
    notes: Map<string, Note>,
    warn: (warning: string) => void,
  ) {
    this.folder = folder;
    this.#notes = notes;
    this.#warn = warn;
  }

  static async open(
    folder: string,
    warn: (warning: string) => void,
  ): Promise<RestoreNotes> {
    await makeDirectory(folder);
    const notes = new Map<string, Note>();
    for (const name of await readdir(folder)) {
      const note = parsed(await readIfThere(join(folder, name)));
      // Only we write here: what says nothing was not finished.
      if (note === null || !ID.test(name)) await remove(join(folder, name));
      else notes.set(name, note);
    }
    return new RestoreNotes(folder, notes, warn);
  }

  /** An id under which files may be made in this workspace. */
  begin(root: string): Promise<string> {
    return this.#add({ kind: "files", path: root });
  }

  /** The restore left nothing. */
  async end(id: string): Promise<void> {
    await this.#drop([id]);
  }

  /** Nor did earlier ones: what they had left there was removed. */
  async endAll(root: string): Promise<void> {
    await this.#drop(this.#idsOf({ kind: "files", path: root }));
  }

  /** Where the directory that shall be at this path is made, beside it. An earlier try is found again. */
  async directoryFor(path: string): Promise<string> {
    const wanted: Note = { kind: "directory", path };
    const [known] = this.#idsOf(wanted);
    const id = known ?? (await this.#add(wanted));
    return join(dirname(path), draftDirectoryName(id));
  }

  /** It has its place, or is gone. */
  async endDirectory(path: string): Promise<void> {
    await this.#drop(this.#idsOf({ kind: "directory", path }));
  }

  /** A file is made in this directory, under this name until it is whole. */
  async beginWrite(directory: ByteString): Promise<Write> {
    const id = await this.#add({ kind: "write", path: toText(directory) });
    return { id, name: draftFileName(id) };
  }

  /** Removes files of writes that were cut off with the process that made them. */
  async sweepWrites(): Promise<void> {
    for (const [id, { kind, path }] of this.#notes)
      if (
        kind === "write" &&
        (await removeDrafts(fromText(path), id, this.#warn))
      )
        await this.#drop([id]);
  }

  async #add(note: Note): Promise<string> {
    const id = newRestoreId();
    const path = join(this.folder, id);
    await onOwnFiles(writeDurably(path, JSON.stringify(note)));
    this.#notes.set(id, note);
    return id;
  }

  /** What is restored is restored, also when its note cannot be removed. The next restore tries that again. */
  async #drop(ids: readonly string[]): Promise<void> {
    for (const id of ids)
      try {
        await remove(join(this.folder, id));
        this.#notes.delete(id);
      } catch (error) {
        this.#warn(`a note of a restore cannot be removed: ${String(error)}`);
      }
  }

  #idsOf({ kind, path }: Note): string[] {
    return [...this.#notes]
      .filter(([, note]) => note.kind === kind && note.path === path)
      .map(([id]) => id);
  }
}

/** A file that is being made. */
export interface Write {
  id: string;
  name: string;
}

/** Whether none of them is there any more. */
const removeDrafts = async (
  directory: ByteString,
  id: string,
  warn: (warning: string) => void,
): Promise<boolean> => {
  try {
    const names = namesIn(directory);
    if (names === "gone") return true;
    if (names === "unreadable") return false;
    for (const name of names)
      if (name.startsWith(draftDirectoryName(id)))
        await remove(fsPath(joinBytes(directory, name)));
    return true;
  } catch (error) {
    warn(`an unfinished file cannot be removed: ${String(error)}`);
    return false;
  }
};

const ID = /^[0-9a-f]{32}$/;

const parsed = (text: string | null): Note | null => {
  try {
    return Note.parse(JSON.parse(text ?? ""));
  } catch {
    return null;
  }
};
