/**
 * Which turns of each session were seen in this browser: what is finished and what was read are not the same. Turns are counted,
 * because events also come from housekeeping, which nobody has to look at.
 */
import { isRecord } from "../../../src/kit/data/is-record.ts";
import type { Session } from "../../../src/contract/session/session.ts";
import type { Readable } from "./readable.ts";
import type { Shelf } from "./storage.ts";
import { Value } from "./value.ts";

type Counted = Pick<Session, "id" | "turn_count">;

const KEY = "reprise.seen";
interface Kept {
  /** When this browser first saw the page. Sessions that are older and were never seen working count as seen. */
  since: string;
  turns: [session: string, count: number][];
}

export interface SeenTurns {
  since: string;
  turns: ReadonlyMap<string, number>;
}

/** Those that were seen longest ago are forgotten. */
const MAX_SESSIONS = 2_000;

export class Seen implements Readable<SeenTurns> {
  readonly #shelf: Shelf;
  readonly #value: Value<SeenTurns>;

  constructor(shelf: Shelf, now: number) {
    this.#shelf = shelf;
    this.#value = new Value(
      stored(shelf) ?? { since: new Date(now).toISOString(), turns: new Map() },
    );
    this.#keep(this.get());
  }

  get(): SeenTurns {
    return this.#value.get();
  }

  subscribe(changed: () => void): () => void {
    return this.#value.subscribe(changed);
  }

  /** Somebody looks at the end of it. */
  mark({ id, turn_count }: Counted): void {
    if ((this.get().turns.get(id) ?? -1) >= turn_count) return;
    // Another tab may have marked others meanwhile.
    const { since, turns } = this.#merged();
    const marked = new Map(turns);
    marked.delete(id);
    marked.set(id, turn_count);
    this.#keep({
      since,
      turns: new Map([...marked].slice(-MAX_SESSIONS)),
    });
  }

  /** An older session works: what it does from now on is news. */
  works(session: Counted & Pick<Session, "created_at">): void {
    const { since, turns } = this.get();
    if (!turns.has(session.id) && session.created_at < since)
      this.mark(session);
  }

  /** Another tab has written. */
  reload(): void {
    this.#value.set(this.#merged());
  }

  #keep(seen: SeenTurns): void {
    const { since, turns } = seen;
    this.#shelf.write(KEY, JSON.stringify({ since, turns: [...turns] }));
    this.#value.set(seen);
  }

  #merged(): SeenTurns {
    const here = this.get();
    const there = stored(this.#shelf);
    if (there === null) return here;
    const turns = new Map(here.turns);
    for (const [id, count] of there.turns)
      turns.set(id, Math.max(count, turns.get(id) ?? 0));
    return { since: there.since, turns };
  }
}

/** Whether a turn has ended that nobody has seen in this browser. */
export const isUnseen = (
  { id, turn_count, created_at }: Counted & Pick<Session, "created_at">,
  { since, turns }: SeenTurns,
): boolean => {
  const seen = turns.get(id);
  if (seen !== undefined) return turn_count > seen;
  return turn_count > 0 && created_at >= since;
};

const stored = (shelf: Shelf): SeenTurns | null => {
  const text = shelf.read(KEY);
  if (text === null) return null;
  try {
    const kept: unknown = JSON.parse(text);
    if (!isKept(kept)) return null;
    return { since: kept.since, turns: new Map(kept.turns) };
  } catch {
    return null;
  }
};

const isKept = (value: unknown): value is Kept =>
  isRecord(value) &&
  typeof value["since"] === "string" &&
  Array.isArray(value["turns"]) &&
  value["turns"].every(
    (turn: unknown) =>
      Array.isArray(turn) &&
      typeof turn[0] === "string" &&
      typeof turn[1] === "number",
  );
