/** Makes damaged rows again from the journal they follow from. */
import type { Event } from "../../contract/event/event.ts";
import { SessionId } from "../../contract/base/id.ts";
import { placeOfKey } from "../../contract/base/place-key.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Derivation, Derived } from "../../runtime/ports/store.ts";
import type { Log } from "../../runtime/ports/home.ts";
import { isCheckpoint, storedEvent } from "../stored.ts";
import { checkpointRowsOf, derivedRows } from "./tables/append.ts";
import type { ImportQuery } from "./reading/import-reads.ts";
import type { DamagedRow, Reads } from "./reading/reads.ts";
import type { Thread } from "./threads/thread.ts";
import type { Writes } from "./writing/writes.ts";

const PAGE = 2000;

export interface MendingParts {
  reader: Thread<Reads>;
  writer: Thread<Writes>;
  /** The term this server writes with. */
  term: () => number;
  /** Nothing can be made again where nobody says how. */
  derive: (() => Derivation) | undefined;
  log: Log | undefined;
}

export class Mending {
  readonly #parts: MendingParts;
  /** One at a time for each session: many may find the same row. */
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(parts: MendingParts) {
    this.#parts = parts;
  }

  /** Asks; where a row of the session is in the way, makes it again and asks once more. */
  async asked<T>(
    session: string,
    ask: () => Promise<T | DamagedRow>,
  ): Promise<T> {
    const first = await ask();
    if (first !== "damaged row") return first;
    await this.mend(session);
    const second = await ask();
    if (second !== "damaged row") return second;
    throw new RepriseError(
      "storage_damaged",
      `What the database says about ${session} is damaged and could not be made again from its journal. Stop the server, keep a copy of the database, then restore a backup.`,
    );
  }

  mend(session: string): Promise<void> {
    const known = this.#underWay.get(session);
    if (known !== undefined) return known;
    const work = this.#mend(session).finally(() =>
      this.#underWay.delete(session),
    );
    this.#underWay.set(session, work);
    return work;
  }

  async #mend(session: string): Promise<void> {
    const { reader, writer, term, derive, log } = this.#parts;
    const id = SessionId.safeParse(session);
    if (derive === undefined || !id.success) return;
    const derivation = derive();
    const checkpointEvents: Event[] = [];
    let last_seq = 0;
    let damaged_from: number | null = null;
    for (;;) {
      const page = await reader.ask("events", {
        session,
        after: last_seq,
        limit: PAGE,
        withoutRow: true,
      });
      if (page === "damaged row") return;
      const events = page.bodies.map(storedEvent);
      for (const event of events) derivation.add(event);
      checkpointEvents.push(...events.filter(isCheckpoint));
      last_seq += page.bodies.length;
      damaged_from = page.damage?.from ?? null;
      if (damaged_from !== null || page.bodies.length === 0) break;
    }
    if (last_seq === 0) return;
    const derived =
      damaged_from === null
        ? derivation.derived()
        : await this.#derivedHere(derivation, { session, after: last_seq });
    const rows = derivedRows(derived, last_seq);
    const checkpoints = checkpointRowsOf(checkpointEvents, derived.view.place);
    const whole = { rows, checkpoints, damaged_from };
    await writer.ask("derive", { term: term(), ...whole });
    log?.warn(
      { session_id: session },
      "a damaged row of a session was made again from its journal",
    );
  }

  /** Events before the damage may be another home's: then the place, the directory and what ran are not from here. */
  async #derivedHere(
    derivation: Derivation,
    query: ImportQuery,
  ): Promise<Derived> {
    const { reader } = this.#parts;
    const imported = await reader.ask("importBehind", query);
    if (imported !== null) derivation.add(storedEvent(imported));
    const derived = derivation.derived();
    const key = await reader.ask("neededPlace", query.session);
    const place = placeOfKey(key ?? "") ?? derived.view.place;
    return { ...derived, view: { ...derived.view, place } };
  }
}
