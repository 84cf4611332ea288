/** The journals as the main thread reads them: page by page, up to where they are damaged. */
import {
  CheckpointId,
  CheckpointKind,
} from "../../contract/session/checkpoint.ts";
import type { Event } from "../../contract/event/event.ts";
import { SessionId } from "../../contract/base/id.ts";
import type { PlaceRef } from "../../contract/base/place.ts";
import { LOCAL, placeOfKey } from "../../contract/base/place-key.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type {
  CheckpointEvent,
  MessageStarts,
  NeededByCheckpoint,
  NeededBySession,
  Snapshot,
} from "../../runtime/ports/store.ts";
import type { Log } from "../../runtime/ports/home.ts";
import { refuseDamaged } from "../refusal.ts";
import {
  isCheckpoint,
  neededBy,
  storedCheckpoint,
  storedEvent,
  storedSession,
} from "../stored.ts";
import type { Damage, EventPage } from "./reading/chain-reads.ts";
import type { EventQuery } from "./reading/journal-reads.ts";
import { firstDamage, readPages } from "./journal-pages.ts";
import type { Mending } from "./mending.ts";
import type { CheckpointRow, NeededPage } from "./tables/needed.ts";
import type { Reads } from "./reading/reads.ts";
import type { Thread } from "./threads/thread.ts";
import type { Writes } from "./writing/writes.ts";

/** Whoever only looks through a journal holds no more than this of it. */
const PAGE = 2000;
/** Sessions whose checkpoints are looked at together. */
const NEEDED_PAGE = 100;

export class Journal {
  readonly #reader: Thread<Reads>;
  readonly #writer: Thread<Writes>;
  readonly #term: () => number;
  readonly #mending: Mending;
  readonly #log: Log | undefined;
  #onDamaged: (session: SessionId) => void = () => undefined;

  constructor(parts: {
    reader: Thread<Reads>;
    writer: Thread<Writes>;
    /** The term this server writes with. */
    term: () => number;
    mending: Mending;
    log: Log | undefined;
  }) {
    this.#reader = parts.reader;
    this.#writer = parts.writer;
    this.#term = parts.term;
    this.#mending = parts.mending;
    this.#log = parts.log;
  }

  onDamaged(listen: (session: SessionId) => void): void {
    this.#onDamaged = listen;
  }

  /** Ends before damage; refuses where the damage comes first. */
  async events(
    session: SessionId,
    after: number,
    limit: number,
  ): Promise<Event[]> {
    const read = await this.#read(session, after, limit);
    if (read.events.length === 0) await this.#refuse(session, read.damage);
    return read.events;
  }

  async load(
    session: SessionId,
    version: number,
  ): Promise<{ snapshot: Snapshot | null; last_seq: number } | null> {
    const beginning = await this.#mending.asked(session, () =>
      this.#reader.ask("beginning", { session, version }),
    );
    if (beginning === null) return null;
    const { damaged_from: from, ...loaded } = beginning;
    if (from !== null) await this.#refuse(session, { from, isMarked: true });
    return loaded;
  }

  async messageStarts(
    session: SessionId,
    before: number,
    limit: number,
  ): Promise<MessageStarts> {
    const { damage, ...found } = await this.#mending.asked(session, () =>
      this.#reader.ask("messageStarts", { session, before, limit }),
    );
    await this.#refuse(session, damage);
    return found;
  }

  async checkpoints(session: SessionId): Promise<CheckpointEvent[]> {
    const { bodies, doubtful } = await this.#reader.ask("checkpoints", session);
    return doubtful.length === 0
      ? bodies.map(storedCheckpoint)
      : (await this.#scan(session)).checkpointEvents;
  }

  /** Page by page: nobody holds what is needed for all sessions. */
  async *needed(): AsyncGenerator<NeededBySession> {
    let after: string | null = null;
    do {
      const page: NeededPage = await this.#reader.ask("needed", {
        after,
        limit: NEEDED_PAGE,
      });
      for (const { session, rows } of page.sessions)
        yield {
          session_id: SessionId.parse(session),
          place: placeIn(rows.at(-1)?.place ?? null),
          checkpoints: rows.map(neededIn),
          isIncomplete: false,
        };
      for (const name of page.doubtful) yield await this.#scanNeeded(name);
      after = page.last;
    } while (after !== null);
  }

  async #scanNeeded(name: string): Promise<NeededBySession> {
    const session_id = SessionId.parse(name);
    const { checkpointEvents, damage } = await this.#scan(session_id);
    const place = await this.#placeOf(session_id);
    const checkpoints = checkpointEvents.map((event) => neededBy(event, place));
    return { session_id, place, checkpoints, isIncomplete: damage !== null };
  }

  /** Null where nothing of the session's row can be served. */
  async #placeOf(session: SessionId): Promise<PlaceRef | null> {
    try {
      const stored = await this.#mending.asked(session, () =>
        this.#reader.ask("session", session),
      );
      return stored === null ? null : storedSession(stored.view).place;
    } catch (error) {
      if (isDamageProblem(error)) return null;
      throw error;
    }
  }

  /** Reads all of it and remembers where it is damaged, or that it is not. */
  async inspect(session: SessionId): Promise<number | null> {
    const from = await this.#firstDamage(session);
    await this.#mark(session, from);
    return from;
  }

  #read(
    session: SessionId,
    after: number,
    limit: number,
  ): Promise<{ events: Event[]; damage: Damage | null }> {
    return readPages(
      (part) => this.#page({ session, ...part }),
      { after, limit },
      storedEvent,
    );
  }

  #page(query: EventQuery & { session: SessionId }): Promise<EventPage> {
    return this.#mending.asked(query.session, () =>
      this.#reader.ask("events", query),
    );
  }

  /** What the journal itself tells of checkpoints, where the index cannot be trusted. */
  async #scan(
    session: SessionId,
  ): Promise<{ checkpointEvents: CheckpointEvent[]; damage: Damage | null }> {
    const checkpointEvents: CheckpointEvent[] = [];
    for (let after = 0; ;) {
      const { events, damage } = await this.#read(session, after, PAGE);
      checkpointEvents.push(...events.filter(isCheckpoint));
      after += events.length;
      if (damage !== null && !damage.isMarked)
        await this.#mark(session, damage.from);
      if (damage !== null || events.length === 0)
        return { checkpointEvents, damage };
    }
  }

  async #refuse(session: SessionId, damage: Damage | null): Promise<void> {
    if (damage === null) return;
    let { from } = damage;
    if (!damage.isMarked) {
      // What is met in the middle of a journal may be the end of a longer damage.
      from = (await this.#firstDamage(session)) ?? from;
      await this.#mark(session, from);
    }
    const { code, message } = refuseDamaged(session, from);
    throw new RepriseError(code, message, { damaged_from: from });
  }

  #firstDamage(session: SessionId): Promise<number | null> {
    return firstDamage((part) =>
      this.#page({ session, ...part, ignoreMark: true }),
    );
  }

  /** Where it cannot be written down, it is noticed again. */
  async #mark(session: SessionId, from: number | null): Promise<void> {
    if (from !== null) {
      this.#onDamaged(session);
      this.#log?.error(
        { session_id: session, damaged_from: from },
        "the journal of a session is damaged; nothing is added to it",
      );
    }
    await this.#writer
      .ask("mark", { term: this.#term(), session, from })
      .catch((error: unknown) =>
        this.#log?.warn(
          { session_id: session, err: error },
          "could not write down that a session is damaged",
        ),
      );
  }
}

/** The checksum of the row says that this is what was written. */
const neededIn = (row: CheckpointRow): NeededByCheckpoint => ({
  id: CheckpointId.parse(row.id),
  turn: row.turn,
  kind: CheckpointKind.parse(row.kind),
  tree: row.tree,
  agent_state: row.agent_state,
  place: placeIn(row.place),
});

const placeIn = (key: string | null): PlaceRef | null =>
  key === null ? LOCAL : placeOfKey(key);

const isDamageProblem = (error: unknown): boolean =>
  error instanceof RepriseError && error.code === "storage_damaged";
