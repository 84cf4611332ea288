/** Lists: a row that is damaged is made again first, and where it cannot be, the others are listed without it. */
import type { SessionId } from "../../contract/base/id.ts";
import type { PlaceRef } from "../../contract/base/place.ts";
import { placeOfKey } from "../../contract/base/place-key.ts";
import type { Executor, Session } from "../../contract/session/session.ts";
import type {
  DueSession,
  SessionFilter,
  Unswept,
} from "../../runtime/ports/store.ts";
import { pageOf, positionOf } from "../cursor.ts";
import { isLookedFor } from "../lookup.ts";
import { storedExecutor, storedSession } from "../stored.ts";
import { fullPage, sessionIdOf } from "./full-page.ts";
import type { Mending } from "./mending.ts";
import type { Reads } from "./reading/reads.ts";
import type { DueRow } from "./tables/attention.ts";
import type { SessionQuery } from "./tables/session-filter.ts";
import type { ListedSession, StoredView } from "./tables/sessions.ts";
import type { Thread } from "./threads/thread.ts";

export class Listing {
  readonly #reader: Thread<Reads>;
  readonly #mending: Mending;
  /** Told of what is left out, in words. */
  readonly #onLeftOut: (words: string) => void;

  constructor(parts: {
    reader: Thread<Reads>;
    mending: Mending;
    onLeftOut: (words: string) => void;
  }) {
    this.#reader = parts.reader;
    this.#mending = parts.mending;
    this.#onLeftOut = parts.onLeftOut;
  }

  async sessions({ after, limit, ...filter }: SessionFilter) {
    const from = positionOf(after);
    const query = { ...filter, from, limit: limit + 1 };
    const { rows, next } = pageOf(await this.#sessions(query), limit);
    // What rows are found by has no checksum: what they show counts.
    const sessions = rows
      .flatMap(({ stored }) => (stored === null ? [] : [viewOf(stored)]))
      .filter((session) => isLookedFor(session, filter));
    return { sessions, next };
  }

  async session(id: string): Promise<Session | null> {
    const stored = await this.#mending.asked(id, () =>
      this.#reader.ask("session", id),
    );
    return stored === null ? null : viewOf(stored);
  }

  async places(): Promise<PlaceRef[]> {
    const keys = await this.#reader.ask("places", null);
    return keys.flatMap((key) => this.#placeOf(key) ?? []);
  }

  async unswept(): Promise<Unswept[]> {
    const rows = await this.#reader.ask("unswept", null);
    return rows.flatMap(({ place: key, purges }) => {
      const place = this.#placeOf(key);
      return place === null ? [] : [{ place, purges }];
    });
  }

  #placeOf(key: string): PlaceRef | null {
    const place = placeOfKey(key);
    if (place === null) this.#tell("places", [key]);
    return place;
  }

  async damaged(limit: number): Promise<Session[]> {
    const sessions: Session[] = [];
    for (const id of await this.#reader.ask("damaged", limit)) {
      const session = await this.session(id);
      if (session !== null) sessions.push(session);
    }
    return sessions;
  }

  async executors(): Promise<Executor[]> {
    const ask = () => this.#reader.ask("executors", null);
    let stored = await ask();
    if (stored.damaged.length > 0) {
      for (const session of stored.damaged) await this.#mending.mend(session);
      stored = await ask();
      this.#tell("executors", stored.damaged);
    }
    return stored.executors.map(storedExecutor);
  }

  async live(after: SessionId | null, limit: number): Promise<SessionId[]> {
    return fullPage<string, SessionId>(
      limit,
      after,
      (from, count) => this.#reader.ask("live", { after: from, limit: count }),
      sessionIdOf,
    );
  }

  async due(by: string, after: DueSession | null, limit: number) {
    return fullPage<DueRow, DueSession>(
      limit,
      after,
      (from, count) =>
        this.#reader.ask("due", { by, after: from, limit: count }),
      ({ session_id, due_at }) =>
        sessionIdOf(session_id).map((id) => ({ session_id: id, due_at })),
    );
  }

  async #sessions(query: SessionQuery): Promise<ListedSession[]> {
    const rows = await this.#reader.ask("sessions", query);
    const damaged = rows.filter(({ stored }) => stored === null);
    if (damaged.length === 0) return rows;
    for (const { id } of damaged) await this.#mending.mend(id);
    const again = await this.#reader.ask("sessions", query);
    this.#tell(
      "sessions",
      again.filter(({ stored }) => stored === null).map(({ id }) => id),
    );
    return again;
  }

  #tell(list: string, left: readonly string[]): void {
    if (left.length > 0)
      this.#onLeftOut(
        `rows of ${list} cannot be read and are left out: ${left.join(", ")}`,
      );
  }
}

/**
 * What stands beside the view counts: nothing can be added to a damaged session, and the view of a session that an older
 * release has written has no `last_wish_at`.
 */
export const viewOf = ({ view, ...columns }: StoredView): Session => ({
  ...storedSession(view),
  ...columns,
});
