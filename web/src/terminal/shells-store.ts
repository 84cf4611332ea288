/** The shells of a session, as the page shows them: which there are, and which one is in sight. */
import type { Client } from "../../../src/client/client.ts";
import { RepriseError } from "../../../src/contract/problem/problem.ts";
import type { SessionProcess } from "../../../src/contract/session/process.ts";
import type { Shell, ShellEnd } from "../../../src/contract/session/shell.ts";
import { refusalWords } from "../words/refusal-words.ts";
import type { Readable } from "../store/readable.ts";
import type { Shelf } from "../store/storage.ts";
import { Value } from "../store/value.ts";
import { programsOf } from "./running-programs.ts";

export interface ShellsView {
  /** The oldest first; null until they were read. */
  shells: readonly Shell[] | null;
  /** The one in sight. */
  chosen: string | null;
  /** Why they could not be read; `isFinal`: trying again changes nothing. */
  trouble: { text: string; isFinal: boolean } | null;
  isOpening: boolean;
  /** Why the last thing that was asked for was not done. */
  refusal: string | null;
}

export interface ShellsDeps {
  client: Pick<
    Client,
    "listShells" | "openShell" | "closeShell" | "listProcesses"
  >;
  shelf: Pick<Shelf, "read" | "write">;
  newKey: () => string;
}

export class ShellsStore implements Readable<ShellsView> {
  readonly #session: string;
  readonly #deps: ShellsDeps;
  readonly #view = new Value<ShellsView>({
    shells: null,
    chosen: null,
    trouble: null,
    isOpening: false,
    refusal: null,
  });
  /** Of an opening whose answer did not come: asked again with it, no second shell is opened. */
  #key: string | null = null;

  constructor(session: string, deps: ShellsDeps) {
    this.#session = session;
    this.#deps = deps;
  }

  get(): ShellsView {
    return this.#view.get();
  }

  subscribe(changed: () => void): () => void {
    return this.#view.subscribe(changed);
  }

  /** Reads them, also again: others open and close shells too. */
  async load(): Promise<void> {
    try {
      const { shells } = await this.#deps.client.listShells(this.#session);
      const wanted = this.get().chosen ?? this.#deps.shelf.read(this.#shelfKey);
      this.#become({ shells, trouble: null, chosen: choice(shells, wanted) });
    } catch (error) {
      // What was read before is still the best that is known.
      if (this.get().shells !== null) return;
      const isFinal =
        error instanceof RepriseError && error.code === "not_supported";
      this.#become({ trouble: { text: refusalWords(error), isFinal } });
    }
  }

  choose(id: string): void {
    this.#deps.shelf.write(this.#shelfKey, id);
    this.#become({ chosen: id, refusal: null });
  }

  async open(size: { cols: number; rows: number } | null): Promise<void> {
    if (this.get().isOpening) return;
    this.#become({ isOpening: true, refusal: null });
    const key = (this.#key ??= this.#deps.newKey());
    try {
      const { client } = this.#deps;
      const shell = await client.openShell(this.#session, { ...size, key });
      this.#key = null;
      const others = this.#shells.filter(({ id }) => id !== shell.id);
      this.#become({ shells: [...others, shell], trouble: null });
      this.choose(shell.id);
    } catch (error) {
      if (error instanceof RepriseError) this.#key = null;
      this.#become({ refusal: refusalWords(error) });
    } finally {
      this.#become({ isOpening: false });
    }
  }

  /** What would end with it. Where nobody can tell, somebody is asked as if something ran. */
  async programsIn(id: string): Promise<SessionProcess[] | "unknown"> {
    const shell = this.#shells.find((each) => each.id === id);
    if (shell === undefined) return [];
    try {
      const { client } = this.#deps;
      const { processes } = await client.listProcesses(this.#session);
      return programsOf(id, processes);
    } catch {
      return "unknown";
    }
  }

  async close(id: string): Promise<void> {
    this.#become({ refusal: null });
    try {
      await this.#deps.client.closeShell(this.#session, id);
    } catch (error) {
      const isGone =
        error instanceof RepriseError && error.code === "shell_not_found";
      if (!isGone) return this.#become({ refusal: refusalWords(error) });
    }
    this.forget(id);
  }

  /** It is not there any more. The one beside it comes into sight. */
  forget(id: string): void {
    const shells = this.#shells;
    const at = shells.findIndex((each) => each.id === id);
    if (at === -1) return;
    const left = shells.filter((each) => each.id !== id);
    const beside = left[Math.min(at, left.length - 1)]?.id ?? null;
    const { chosen } = this.get();
    this.#become({ shells: left, chosen: chosen === id ? beside : chosen });
  }

  /** Opens another one in place of one that has ended. */
  async openAgain(
    id: string,
    size: { cols: number; rows: number } | null,
  ): Promise<void> {
    await this.open(size);
    if (this.get().refusal === null) await this.close(id);
  }

  titled(id: string, title: string): void {
    this.#change(id, (shell) =>
      shell.title === title ? shell : { ...shell, title },
    );
  }

  ended(id: string, end: ShellEnd): void {
    this.#change(id, (shell) =>
      shell.state === "ended" ? shell : { ...shell, state: "ended", end },
    );
  }

  #change(id: string, change: (shell: Shell) => Shell): void {
    const shells = this.#shells.map((each) =>
      each.id === id ? change(each) : each,
    );
    if (shells.some((each, at) => each !== this.#shells[at]))
      this.#become({ shells });
  }

  get #shells(): readonly Shell[] {
    return this.get().shells ?? [];
  }

  get #shelfKey(): string {
    return `terminal:${this.#session}`;
  }

  #become(change: Partial<ShellsView>): void {
    this.#view.set({ ...this.get(), ...change });
  }
}

/** The one that was chosen, where it is there; else the newest that is open. */
const choice = (
  shells: readonly Shell[],
  wanted: string | null,
): string | null => {
  const found =
    shells.find(({ id }) => id === wanted) ??
    shells.findLast(({ state }) => state === "open") ??
    shells.at(-1);
  return found?.id ?? null;
};
