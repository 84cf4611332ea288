/** What can be done where one is: each screen adds its commands while it is shown. */
import type { Mark } from "../line/mark.ts";
import type { Readable } from "../store/readable.ts";
import { Value } from "../store/value.ts";
import { type CommandId, commandIds } from "./command-table.ts";

export type Actions = Partial<Record<CommandId, () => void>>;

/** The session that is open, for who looks for its turns and files. */
export interface OpenPlace {
  id: string;
  /** Its line may come later than the rest of it, and goes on. */
  view: Readable<{ readonly line: readonly Mark[] }>;
  showTurn: (turn: number) => void;
  fork: (turn: number) => void;
}

interface Offer {
  ids: readonly CommandId[];
  run: (id: CommandId) => void;
  isAbove: boolean;
}

export class Commands implements Readable<readonly CommandId[]> {
  /** In the order of the table. */
  readonly #ids = new Value<readonly CommandId[]>([]);
  /** The newest last: it goes before the others, and what is above the screen before all. */
  #offers: readonly Offer[] = [];
  #places: (() => OpenPlace)[] = [];

  /** Returns what takes them away again. */
  offer(
    ids: readonly CommandId[],
    run: (id: CommandId) => void,
    isAbove = false,
  ): () => void {
    const offered = { ids, run, isAbove };
    this.#set(
      [...this.#offers, offered].sort((a, b) => +a.isAbove - +b.isAbove),
    );
    return () => this.#set(this.#offers.filter((each) => each !== offered));
  }

  enter(place: () => OpenPlace): () => void {
    this.#places = [...this.#places, place];
    return () => {
      this.#places = this.#places.filter((each) => each !== place);
    };
  }

  has(id: CommandId): boolean {
    return this.#offers.some(({ ids }) => ids.includes(id));
  }

  /** What can be done now. */
  get(): readonly CommandId[] {
    return this.#ids.get();
  }

  subscribe(changed: () => void): () => void {
    return this.#ids.subscribe(changed);
  }

  run(id: CommandId): void {
    this.#offers.findLast(({ ids }) => ids.includes(id))?.run(id);
  }

  /** Null where no session is open. */
  place(): OpenPlace | null {
    return this.#places.at(-1)?.() ?? null;
  }

  #set(offers: readonly Offer[]): void {
    this.#offers = offers;
    const ids = commandIds.filter((id) => this.has(id));
    if (ids.join() !== this.get().join()) this.#ids.set(ids);
  }
}
