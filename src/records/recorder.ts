/** Keeps the readable files of every active session current by following what is committed. */
import { join } from "node:path";
import type { Event } from "../contract/event/event.ts";
import type { SessionId } from "../contract/base/id.ts";
import type { Session } from "../contract/session/session.ts";
import { remove } from "../kit/files/durable-file.ts";
import { Gate } from "../kit/time/gate.ts";
import type { Log } from "../runtime/ports/home.ts";
import type { Store } from "../runtime/ports/store.ts";
import { DEFAULT_RECORD_LIMITS, type RecordLimits } from "./limits.ts";
import { SessionRecord } from "./session-record.ts";

export class Recorder {
  readonly #root: string;
  readonly #store: Pick<Store, "events">;
  readonly #log: Log;
  readonly #limits: RecordLimits;
  readonly #gate = new Gate(1);
  readonly #active = new Map<SessionId, SessionRecord>();
  /** Sessions whose files could not be written: said once, until they can. */
  readonly #troubled = new Set<SessionId>();

  constructor(parts: {
    root: string;
    store: Pick<Store, "events">;
    log: Log;
    limits?: RecordLimits;
  }) {
    this.#root = parts.root;
    this.#store = parts.store;
    this.#log = parts.log;
    this.#limits = parts.limits ?? DEFAULT_RECORD_LIMITS;
  }

  /** Told of every commit, with the session as it is after it. */
  record(events: readonly Event[], session: Session): void {
    const record = this.#active.get(session.id) ?? this.#open(session);
    record.record(events, session);
  }

  /** Resolves when the files say all that was recorded, as far as they can be written. */
  async drain(): Promise<void> {
    await Promise.all([...this.#active.values()].map((each) => each.flush()));
  }

  /** Removes the files of a session that is gone for good. */
  async discard(session: SessionId): Promise<void> {
    await this.#active.get(session)?.flush();
    this.#active.delete(session);
    this.#troubled.delete(session);
    await remove(join(this.#root, session));
  }

  #open(session: Session): SessionRecord {
    const { id } = session;
    const directory = join(this.#root, id);
    const record = new SessionRecord(
      {
        directory,
        limits: this.#limits,
        store: this.#store,
        gate: this.#gate,
        onWritten: () => this.#troubled.delete(id),
        onFailed: (error) => this.#warn(id, directory, error),
        onRest: () => this.#active.delete(id),
      },
      session,
    );
    this.#active.set(id, record);
    return record;
  }

  #warn(id: SessionId, directory: string, error: unknown): void {
    if (this.#troubled.has(id)) return;
    this.#troubled.add(id);
    this.#log.warn(
      { session_id: id, directory, err: error },
      "could not write a session's files; the session goes on without them",
    );
  }
}
