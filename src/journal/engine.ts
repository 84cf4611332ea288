/**
 * wish → decide(state, command, at) → events → one transaction → publish.
 * The only writer of its kind of journal. Commands for one id go one at a time; different ids share commits in the store.
 */
import type { PlaceRef } from "../contract/base/place.ts";
import type { Lanes } from "../kit/time/lanes.ts";
import type { CommitFeed, Committed } from "./commit-feed.ts";
import { foldJournal } from "./fold-journal.ts";
import { eventsUpTo } from "./journal-reader.ts";
import type {
  Append,
  JournalStore,
  PlaceTerm,
  Receipt,
  Terms,
} from "./journal-store.ts";
import type { Decision, Journaled, Kind } from "./journaled.ts";
import { isMovedOn } from "./moved-on.ts";
import type { Shelf } from "./shelf.ts";
import { isSuperseded } from "./superseded.ts";
import { untilFits } from "./until-fits.ts";

/** What is committed along with a decision's events. */
export interface CommitExtras<K extends Kind> {
  /** Made from the state after the decision: the first answer is part of the transaction. */
  receipt?: (after: K["state"]) => Receipt;
  secrets?: K["secrets"];
}

/** What work in a lane comes to: at most one command, issued behind all of it. */
export interface Planned<K extends Kind, T> {
  command: K["command"] | null;
  extras?: CommitExtras<K>;
  /** What the caller gets, from the state behind the command. */
  answer: (after: K["state"]) => T;
}

interface Parts<K extends Kind> {
  kind: Journaled<K>;
  store: JournalStore<K>;
  terms: Terms;
  clock: { now(): Date };
  lanes: Lanes;
  shelf: Shelf<K>;
  commits: CommitFeed<K>;
}

export class Engine<K extends Kind> {
  readonly #parts: Parts<K>;
  readonly #kind: Journaled<K>;
  readonly #store: JournalStore<K>;
  readonly #terms: Terms;
  readonly #lanes: Lanes;
  readonly #shelf: Shelf<K>;
  readonly #commits: CommitFeed<K>;

  constructor(parts: Parts<K>) {
    this.#parts = parts;
    this.#kind = parts.kind;
    this.#store = parts.store;
    this.#terms = parts.terms;
    this.#lanes = parts.lanes;
    this.#shelf = parts.shelf;
    this.#commits = parts.commits;
  }

  async create(
    create: K["create"],
    extras: CommitExtras<K> = {},
  ): Promise<K["state"]> {
    return this.admit(this.#kind.create(create, this.#now()), extras);
  }

  /** Takes in something with its whole journal. It must not be here. */
  async admit(
    decision: Decision<K>,
    extras: CommitExtras<K> = {},
  ): Promise<K["state"]> {
    const { after } = accepted(decision);
    return this.#lanes.run(this.#kind.idOf(after), () =>
      this.#commit(null, decision, extras),
    );
  }

  /** Removes it for good if it may still be removed. Says whether it was. */
  purge(
    id: K["id"],
    mayGo: (state: K["state"]) => Promise<boolean>,
    first: (state: K["state"]) => Promise<void>,
  ): Promise<boolean> {
    return this.#lanes.run(id, async () => {
      const state = await this.#load(id);
      if (!(await mayGo(state))) return false;
      await first(state);
      try {
        await this.#written(state, (place) => this.#store.purge(place, id));
      } finally {
        // Also where nobody knows whether it is gone: then it is read again.
        this.#shelf.drop(id);
      }
      const gone = this.#kind.notFound(id, "removed meanwhile");
      this.#commits.release(new Set([id]), gone);
      return true;
    });
  }

  issue(
    id: K["id"],
    command: K["command"],
    extras?: CommitExtras<K>,
  ): Promise<K["state"]> {
    return this.#decided(id, () => this.#issueNow(id, command, extras));
  }

  /** Refuses what would be refused now. It changes nothing. */
  async check(id: K["id"], command: K["command"]): Promise<void> {
    const state = await this.state(id);
    accepted(this.#kind.decide(state, command, this.#now()));
  }

  /** Issues it if `holds` is still true then; says whether it was. */
  issueIf(
    id: K["id"],
    holds: (state: K["state"]) => boolean,
    command: K["command"],
  ): Promise<boolean> {
    return this.#decided(id, async () => {
      if (!holds(await this.#load(id))) return false;
      await this.#issueNow(id, command);
      return true;
    });
  }

  /** Runs `plan` alone in the lane, then issues what it comes to. When another writer went on meanwhile, both are done again. */
  exclusively<T>(
    id: K["id"],
    plan: (state: K["state"]) => Promise<Planned<K, T>>,
  ): Promise<T> {
    return this.#decided(id, async () => {
      const state = await this.#load(id);
      const { command, extras, answer } = await plan(state);
      return answer(
        command === null ? state : await this.#issueNow(id, command, extras),
      );
    });
  }

  /** The state as of the last commit; refuses what is not there. Nothing is claimed for it: whoever asks may only be reading. */
  async state(id: K["id"]): Promise<K["state"]> {
    return this.#shelf.get(id) ?? this.#lanes.run(id, () => this.#read(id));
  }

  /**
   * Resolves with the first state that fits, now or later; rejects when the signal fires or another server has it. It is for
   * who has changed something, or is about to: its place is claimed.
   */
  until(
    id: K["id"],
    fits: (state: K["state"]) => boolean,
    signal: AbortSignal,
  ): Promise<K["state"]> {
    const now = async (): Promise<K["state"]> => {
      const state = await this.state(id);
      // This server does not hear of commits that another server makes.
      if (!fits(state)) await this.#terms.claim(this.#kind.placeOf(state));
      return state;
    };
    return untilFits({ commits: this.#commits, id, now, fits, signal });
  }

  /** Writes something that is no event about what belongs to a place, with the term of that place. */
  async writeAt(
    place: PlaceRef,
    write: (place: PlaceTerm) => Promise<void>,
  ): Promise<void> {
    const term = await this.#terms.claim(place);
    try {
      await write(term);
    } catch (error) {
      if (isSuperseded(error)) this.#terms.reportLoss(place, term.term);
      throw error;
    }
  }

  /** What is kept in memory, or somebody waits for. */
  *kept(): Iterable<K["id"]> {
    yield* this.#shelf.ids();
    yield* this.#commits.ids();
  }

  /** Another server has these: none is kept, and whoever waits for one is told so. */
  async letGo(ids: ReadonlySet<K["id"]>, why: Error): Promise<void> {
    for (const id of ids) this.#shelf.drop(id);
    this.#commits.release(ids, why);
    await this.#lanes.drain(ids);
  }

  /** Does it in the lane. Where another writer went on, the journal is read anew and it is done again (REC-57). */
  #decided<T>(id: K["id"], work: () => Promise<T>): Promise<T> {
    return this.#lanes.run(id, async () => {
      for (let tries = 1; ; tries++)
        try {
          return await work();
        } catch (error) {
          if (!isMovedOn(error) || tries === MAX_TRIES) throw error;
        }
    });
  }

  async #issueNow(
    id: K["id"],
    command: K["command"],
    extras: CommitExtras<K> = {},
  ): Promise<K["state"]> {
    const state = await this.#load(id);
    const decision = this.#kind.decide(state, command, this.#now());
    return this.#commit(state, decision, extras);
  }

  /** For a decision: its place is claimed, and what another server wrote until then is read. */
  async #load(id: K["id"]): Promise<K["state"]> {
    for (;;) {
      const claims = this.#terms.claims();
      const state = await this.#read(id);
      const place = this.#kind.placeOf(state);
      if (this.#terms.termOf(place) === null) await this.#terms.claim(place);
      else if (claims === this.#terms.claims()) return state;
    }
  }

  async #read(id: K["id"]): Promise<K["state"]> {
    const known = this.#shelf.get(id);
    if (known !== undefined) return known;
    const claims = this.#terms.claims();
    const state = await foldJournal(this.#parts, id);
    const before = this.#shelf.doubted(id);
    const untold =
      before !== undefined && before.seq < state.seq
        ? await this.#since(before, state)
        : null;
    // Once it is kept nobody looks for what was not told: both at once, or neither.
    if (claims === this.#terms.claims()) this.#keep(state);
    else this.#shelf.drop(id);
    if (untold !== null) this.#commits.publish(untold);
    return state;
  }

  /** Keeps the state at hand if this server holds its place: what another one writes is not heard here. */
  #keep(state: K["state"]): void {
    const isHeld = this.#terms.termOf(this.#kind.placeOf(state)) !== null;
    if (isHeld) this.#shelf.put(state);
    else this.#shelf.drop(this.#kind.idOf(state));
  }

  /** A commit whose outcome was not known did happen: what whoever follows, or acts on what happens, has to be told. */
  async #since(before: K["state"], after: K["state"]): Promise<Committed<K>> {
    const id = this.#kind.idOf(after);
    const events: K["event"][] = [];
    const untold = { after: before.seq, last: after.seq };
    for await (const event of eventsUpTo(this.#parts, id, untold))
      events.push(event);
    const derived = this.#kind.derive(events, before, after, this.#now());
    return { id, events, before, after, derived };
  }

  async #commit(
    before: K["state"] | null,
    decision: Decision<K>,
    extras: CommitExtras<K>,
  ): Promise<K["state"]> {
    const { events, after } = accepted(decision);
    if (events.length === 0 && extras.receipt === undefined) return after;

    const id = this.#kind.idOf(after);
    const derived = this.#kind.derive(events, before, after, this.#now());
    try {
      await this.#written(before ?? after, (place) =>
        this.#store.append({
          place,
          id,
          after: before?.seq ?? 0,
          events,
          derived,
          snapshot: this.#snapshot(before, after, events),
          receipt: extras.receipt?.(after) ?? null,
          secrets: extras.secrets ?? null,
        }),
      );
    } catch (error) {
      // Whether it is durable is not known: the next command reads the journal. Nothing is done for a damaged one.
      if (this.#kind.isDamaged(error)) this.#shelf.drop(id);
      else this.#shelf.doubt(id);
      throw error;
    }
    this.#keep(after);
    this.#commits.publish({ id, events, before, after, derived });
    return after;
  }

  #snapshot(
    before: K["state"] | null,
    after: K["state"],
    events: readonly K["event"][],
  ): Append<K>["snapshot"] {
    const { snapshots } = this.#kind;
    if (snapshots?.isDue(before, after, events) !== true) return null;
    const state = snapshots.toText(after);
    return { version: snapshots.version, seq: after.seq, state };
  }

  #written(
    state: K["state"],
    write: (place: PlaceTerm) => Promise<void>,
  ): Promise<void> {
    return this.writeAt(this.#kind.placeOf(state), write);
  }

  #now(): string {
    return this.#parts.clock.now().toISOString();
  }
}

/** How often a decision is made again because another writer was quicker. */
const MAX_TRIES = 20;

const accepted = <K extends Kind>(decision: Decision<K>) => {
  if (decision.kind === "refused") throw decision.error;
  return decision;
};
