/**
 * A file that somebody looks at: its beginning first, more of it when it is asked for, and whether it is still the same.
 *
 *   loading ──► shown ──► more ──► shown        shown ──► stale: it changed or is gone; what was read stays in sight
 *      └──► refused
 */
import { MAX_READ_BYTES } from "../../../../src/contract/base/file-limits.ts";
import { RepriseError } from "../../../../src/contract/problem/problem.ts";
import { refusalWords } from "../../words/refusal-words.ts";
import type { Readable } from "../../store/readable.ts";
import { Value } from "../../store/value.ts";
import type { WorkspaceClient } from "../workspace-client.ts";
import { contentOf, type FileContent, joined } from "./content.ts";

export interface ShownFile {
  bytes: Uint8Array;
  content: FileContent;
  /** Of the whole file. */
  size: number;
  etag: string | null;
  modifiedAt: string | null;
}

export type FileState =
  | { kind: "loading" }
  | { kind: "refused"; text: string; isMissing: boolean }
  | {
      kind: "shown";
      file: ShownFile;
      isLoadingMore: boolean;
      /** What became of it since it was read. */
      stale: "changed" | "gone" | null;
      refusal: string | null;
    };

/** The first read. Most files are shorter; more comes 8 MiB at a time. */
export const FIRST_BYTES = 1024 * 1024;

const EMPTY: ShownFile = {
  bytes: new Uint8Array(),
  content: { kind: "empty" },
  size: 0,
  etag: null,
  modifiedAt: null,
};

export class OpenFile implements Readable<FileState> {
  readonly #state = new Value<FileState>({ kind: "loading" });
  readonly #client: Pick<WorkspaceClient, "readFile">;
  readonly #session: string;
  readonly #path: string;
  readonly #ending = new AbortController();

  constructor(
    client: Pick<WorkspaceClient, "readFile">,
    session: string,
    path: string,
  ) {
    this.#client = client;
    this.#session = session;
    this.#path = path;
  }

  get(): FileState {
    return this.#state.get();
  }

  subscribe(changed: () => void): () => void {
    return this.#state.subscribe(changed);
  }

  async load(): Promise<void> {
    try {
      const read = await this.#read(0, FIRST_BYTES, {});
      if (read === null) return;
      const { bytes, size, etag, modified_at: modifiedAt, text } = read;
      // Pictures are drawn whole.
      const whole =
        contentOf({ text, size }, bytes).kind === "image" && bytes.length < size
          ? joined(bytes, (await this.#rest(bytes.length, etag)) ?? bytes)
          : bytes;
      const content = contentOf({ text, size }, whole);
      this.#show({ bytes: whole, content, size, etag, modifiedAt });
    } catch (error) {
      if (isCode(error, "range_not_satisfiable")) return this.#show(EMPTY);
      this.#set({
        kind: "refused",
        text: refusalWords(error),
        isMissing: isCode(error, "path_not_found"),
      });
    }
  }

  /** The next 8 MiB of the file as it was when it was first read. */
  async more(): Promise<void> {
    const state = this.get();
    if (state.kind !== "shown" || state.isLoadingMore) return;
    const { file } = state;
    this.#set({ ...state, isLoadingMore: true, refusal: null });
    try {
      const next = await this.#rest(file.bytes.length, file.etag);
      const bytes = next === null ? file.bytes : joined(file.bytes, next);
      const content = contentOf({ text: true, size: file.size }, bytes);
      this.#show({ ...file, bytes, content });
    } catch (error) {
      if (isCode(error, "precondition_failed"))
        return this.#set({ ...state, stale: "changed" });
      this.#set({ ...state, refusal: refusalWords(error) });
    }
  }

  /** Looks whether the file is still the one that was read. An answer that does not come changes nothing. */
  async check(): Promise<void> {
    const state = this.get();
    if (state.kind !== "shown" || state.stale !== null || state.isLoadingMore)
      return;
    const stale = await this.#staleness(state.file);
    const now = this.get();
    if (now.kind === "shown" && now.file === state.file && stale !== null)
      this.#set({ ...now, stale });
  }

  end(): void {
    this.#ending.abort();
  }

  async #staleness({ etag }: ShownFile): Promise<"changed" | "gone" | null> {
    try {
      const read = await this.#read(
        0,
        1,
        etag === null ? {} : { ifNoneMatch: etag },
      );
      return read === null ? null : "changed";
    } catch (error) {
      if (isCode(error, "path_not_found")) return "gone";
      // It had bytes and has none now, or it still has none.
      if (isCode(error, "range_not_satisfiable"))
        return etag === null ? null : "changed";
      return null;
    }
  }

  async #rest(at: number, etag: string | null): Promise<Uint8Array | null> {
    const read = await this.#read(
      at,
      MAX_READ_BYTES,
      etag === null ? {} : { ifMatch: etag },
    );
    return read?.bytes ?? null;
  }

  #read(
    first: number,
    length: number,
    condition: { ifMatch?: string; ifNoneMatch?: string },
  ) {
    return this.#client.readFile(this.#session, this.#path, {
      range: { first, last: first + length - 1 },
      signal: this.#ending.signal,
      ...condition,
    });
  }

  #show(file: ShownFile): void {
    this.#set({
      kind: "shown",
      file,
      isLoadingMore: false,
      stale: null,
      refusal: null,
    });
  }

  #set(state: FileState): void {
    if (!this.#ending.signal.aborted) this.#state.set(state);
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof RepriseError && error.code === code;
