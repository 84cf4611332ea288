/** Sessions as the journal's engine sees them. */
import type { Event } from "../../contract/event/event.ts";
import type { SessionId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { CommitFeed } from "../../journal/commit-feed.ts";
import type { Engine as JournalEngine } from "../../journal/engine.ts";
import type { JournalStore } from "../../journal/journal-store.ts";
import type { Decision, Journaled, Kind } from "../../journal/journaled.ts";
import type { Shelf } from "../../journal/shelf.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { decideCreate } from "../../session/decide/create.ts";
import { decide } from "../../session/decide/decide.ts";
import type { Decision as SessionDecision } from "../../session/decide/decision.ts";
import { evolve } from "../../session/evolve/evolve.ts";
import type { Command, Create } from "../../session/state/command.ts";
import { placeOf } from "../../session/state/place.ts";
import {
  missingContents,
  readState,
  withContents,
  writeState,
} from "../../session/state/snapshot.ts";
import type { State } from "../../session/state/state.ts";
import { STATE_VERSION } from "../../session/state/state.ts";
import { derivedBy } from "../../session/view/derive.ts";
import { isSessionDamaged } from "../failures/session-damaged.ts";
import type { Derived, Store } from "../ports/store.ts";
import type { OutboxEntriesOf } from "../ports/webhook-store.ts";

export interface Sessions extends Kind {
  id: SessionId;
  state: State;
  command: Command;
  create: Create;
  event: Event;
  derived: Derived;
  /** The session's own environment, set at creation. */
  secrets: { env: Record<string, string> };
}

export type Engine = JournalEngine<Sessions>;
export type SessionCommits = CommitFeed<Sessions>;
export type SessionShelf = Shelf<Sessions>;

/** The agent's words do not follow on what the journal has. */
export class OutputGap extends Error {
  readonly expected: number;
  constructor(expected: number) {
    super(`expected output from byte ${expected}`);
    this.name = "OutputGap";
    this.expected = expected;
  }
}

export const sessions: Journaled<Sessions> = {
  create: (create, at) => decisionOf(decideCreate(create, at)),
  decide: (state, command, at) => decisionOf(decide(state, command, at)),
  evolve,
  derive: derivedBy,
  idOf: ({ id }) => id,
  placeOf,
  isActive: ({ execution }) => execution !== null,
  snapshots: {
    version: STATE_VERSION,
    isDue: (before, after, events) =>
      events.some(endsTurn) ||
      hasPassed(SNAPSHOT_EVENTS, before?.seq, after.seq) ||
      hasPassed(
        SNAPSHOT_BYTES,
        before?.execution?.offset,
        after.execution?.offset,
      ),
    toText: writeState,
    fromText: readState,
    // What a snapshot only names is read from the journal, where it is checked like every event.
    complete: async (state, snapshot, read) => {
      const events: Event[] = [];
      for (const seq of missingContents(state, snapshot))
        events.push(await read(seq));
      return withContents(state, snapshot, events);
    },
  },
  notFound: (id, why) =>
    new RepriseError(
      "session_not_found",
      why === "unknown"
        ? `There is no session ${id}.`
        : `Session ${id} was removed while it was read.`,
    ),
  isDamaged: isSessionDamaged,
};

/** The part of a store that holds the journals of sessions. */
export const sessionStore = (
  store: Pick<Store, "append" | "load" | "events" | "purge">,
  outboxEntriesOf: OutboxEntriesOf,
): JournalStore<Sessions> => ({
  append: ({ id, derived, secrets, ...change }) =>
    store.append({
      ...change,
      ...derived,
      session_id: id,
      env: secrets?.env ?? null,
      outbox: outboxEntriesOf(change.events),
    }),
  load: (id, version) => store.load(id, version),
  events: (id, after, limit) => store.events(id, after, limit),
  purge: (place, id) => store.purge(place, id),
});

const decisionOf = (decision: SessionDecision): Decision<Sessions> => {
  switch (decision.kind) {
    case "events":
      return decision;
    case "refused": {
      const { kind: _, code, detail, ...facts } = decision;
      const error = new RepriseError(code, detail, facts);
      return { kind: "refused", error };
    }
    case "output_gap":
      return { kind: "refused", error: new OutputGap(decision.expected) };
    default:
      return unreachable(decision);
  }
};

/** In a turn that goes on and on, after so many events or so much output: reading them again is what a restart waits for. */
const SNAPSHOT_EVENTS = 2000;
const SNAPSHOT_BYTES = 8 * 1024 * 1024;

/** Whether a multiple of this lies between two numbers. */
const hasPassed = (step: number, before = 0, after = 0): boolean =>
  Math.floor(before / step) < Math.floor(after / step);

const endsTurn = (event: Event): boolean =>
  event.type === "session.turn.ended" ||
  event.type === "session.turn.interrupted";
