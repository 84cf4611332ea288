/** The tree of a workspace: directories are listed when they are opened, a page at a time. */
import { RepriseError } from "../../../../src/contract/problem/problem.ts";
import { refusalWords } from "../../words/refusal-words.ts";
import type { Readable } from "../../store/readable.ts";
import { Value } from "../../store/value.ts";
import { directoriesAbove } from "../since/marks.ts";
import type { WorkspaceClient } from "../workspace-client.ts";
import {
  EMPTY_TREE,
  entryAt,
  isDirectory,
  type ListedDirectory,
  type TreeState,
} from "./tree-state.ts";

const UNLISTED: ListedDirectory = {
  entries: [],
  next: null,
  isLoading: true,
  refusal: null,
};

export class Tree implements Readable<TreeState> {
  readonly #state = new Value<TreeState>(EMPTY_TREE);
  readonly #client: Pick<WorkspaceClient, "listFiles">;
  readonly #session: string;
  readonly #ending = new AbortController();

  constructor(client: Pick<WorkspaceClient, "listFiles">, session: string) {
    this.#client = client;
    this.#session = session;
  }

  get(): TreeState {
    return this.#state.get();
  }

  subscribe(changed: () => void): () => void {
    return this.#state.subscribe(changed);
  }

  async open(path: string): Promise<void> {
    this.#setOpen(path, true);
    const known = this.get().directories.get(path);
    if (known === undefined || known.refusal !== null) await this.#list(path);
  }

  close(path: string): void {
    this.#setOpen(path, false);
  }

  /** Opens everything above a path. True where the path is that of a directory, which is opened too. */
  async reveal(path: string): Promise<boolean> {
    for (const directory of ["", ...directoriesAbove(path)]) {
      await this.open(directory);
      if (this.get().directories.get(directory)?.refusal !== null) return false;
    }
    if (path !== "" && entryAt(this.get(), path)?.kind === "link")
      return this.follow(path);
    if (path === "" || !isDirectory(this.get(), path)) return path === "";
    await this.open(path);
    return true;
  }

  /** Whether a link leads to a directory: then it is opened as one. */
  async follow(path: string): Promise<boolean> {
    if (!this.get().links.has(path)) {
      try {
        await this.#client.listFiles(this.#session, path, { limit: 1 });
      } catch (error) {
        if (error instanceof RepriseError) return false;
        throw error;
      }
      this.#change({ links: new Set([...this.get().links, path]) });
    }
    await this.open(path);
    return true;
  }

  async more(path: string): Promise<void> {
    const known = this.get().directories.get(path);
    if (known === undefined || known.next === null || known.isLoading) return;
    this.#put(path, { ...known, isLoading: true });
    try {
      const page = await this.#page(path, known.next);
      this.#put(path, {
        entries: [...known.entries, ...page.entries],
        next: page.next,
        isLoading: false,
        refusal: null,
      });
    } catch (error) {
      this.#put(path, { ...known, refusal: refusalWords(error) });
    }
  }

  /** Lists again what is open; what was listed stays in sight meanwhile. */
  async reload(): Promise<void> {
    const { open, directories } = this.get();
    const closed = [...directories.keys()].filter((path) => !open.has(path));
    if (closed.length > 0)
      this.#change({
        directories: new Map(
          [...directories].filter(([path]) => open.has(path)),
        ),
      });
    for (const path of open)
      if (path !== "" && entryAt(this.get(), path) === null) this.#forget(path);
      else await this.#list(path);
  }

  end(): void {
    this.#ending.abort();
  }

  async #list(path: string): Promise<void> {
    const known = this.get().directories.get(path);
    this.#put(path, { ...(known ?? UNLISTED), isLoading: true, refusal: null });
    try {
      let { entries, next } = await this.#page(path, null);
      // As much as was in sight before.
      while (next !== null && entries.length < (known?.entries.length ?? 0)) {
        const page = await this.#page(path, next);
        entries = [...entries, ...page.entries];
        next = page.next;
      }
      this.#put(path, { entries, next, isLoading: false, refusal: null });
    } catch (error) {
      this.#put(path, {
        ...(known ?? UNLISTED),
        isLoading: false,
        refusal: refusalWords(error),
      });
    }
  }

  /** A directory that is not there any more. */
  #forget(path: string): void {
    const directories = new Map(this.get().directories);
    directories.delete(path);
    this.#change({ directories });
    this.#setOpen(path, false);
  }

  #page(path: string, after: string | null) {
    const { signal } = this.#ending;
    return this.#client.listFiles(this.#session, path, {
      signal,
      ...(after === null ? {} : { after }),
    });
  }

  #setOpen(path: string, isOpen: boolean): void {
    const open = new Set(this.get().open);
    if (isOpen) open.add(path);
    else open.delete(path);
    this.#change({ open });
  }

  #put(path: string, directory: ListedDirectory): void {
    if (this.#ending.signal.aborted) return;
    this.#change({
      directories: new Map(this.get().directories).set(path, directory),
    });
  }

  #change(change: Partial<TreeState>): void {
    this.#state.set({ ...this.get(), ...change });
  }
}
