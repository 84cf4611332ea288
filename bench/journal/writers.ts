/** The same load, once straight into the store and once through the engine: each session one at a time, all at once. */
import type { SessionId } from "../../src/contract/base/id.ts";
import type { Engine } from "../../src/runtime/sessions/session-journal.ts";
import type { Append, Store } from "../../src/runtime/ports/store.ts";
import {
  append,
  executorRow,
  sessionId,
} from "../../src/store/fixtures/conformance/sample.ts";
import { BusySession } from "../busy-session.ts";

/** One append by one session, prepared so that only its making durable is timed. */
type Work = () => Promise<unknown>;

export interface Writer {
  /** The next append of a session, with so many events. */
  prepare(session: number, events: number): Work;
}

/** Events per second with so many sessions, each waiting for one append before it makes the next. */
export const rate = async (
  writer: Writer,
  load: { sessions: number; events: number; eventsPerAppend: number },
): Promise<number> => {
  const { sessions, events, eventsPerAppend } = load;
  const appends = events / sessions / eventsPerAppend;
  const work = Array.from({ length: sessions }, (_, n) =>
    Array.from({ length: appends }, () => writer.prepare(n, eventsPerAppend)),
  );
  const start = performance.now();
  await Promise.all(
    work.map(async (mine) => {
      for (const each of mine) await each();
    }),
  );
  return events / ((performance.now() - start) / 1000);
};

/** Milliseconds until one append of one event was acknowledged. */
export const appendTime = async (writer: Writer): Promise<number> => {
  const work = writer.prepare(0, 1);
  const start = performance.now();
  await work();
  return performance.now() - start;
};

/** Appends as the engine makes them, without what it thinks before. */
export const storeWriter = (store: Store, term: number): Writer => {
  const last = new Map<SessionId, number>();
  const change = (session: number, events: number): Append => {
    const id = sessionId(session);
    const after = last.get(id) ?? 0;
    last.set(id, after + events);
    const executor = executorRow(id);
    return append(term, id, after, events, { executor });
  };
  return {
    prepare: (session, events) => {
      const next = change(session, events);
      return () => store.append(next);
    },
  };
};

/** Reports of agents in the middle of a turn: decided, folded, viewed, committed, published. */
export const engineWriter = async (
  engine: Engine,
  sessions: number,
): Promise<Writer> => {
  const busy = await Promise.all(
    Array.from({ length: sessions }, (_, n) =>
      BusySession.begin(engine, 1000 + n),
    ),
  );
  return {
    prepare: (session, events) => {
      const speaker = busy[session];
      if (speaker === undefined) throw new Error(`no session ${session}`);
      return speaker.words(events);
    },
  };
};
