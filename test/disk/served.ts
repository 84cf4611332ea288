/** Everything that is served of a database, and where somebody noticed that it is not what was written. */
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import type { SessionId } from "../../src/contract/base/id.ts";
import { LOCAL } from "../../src/contract/base/place.ts";
import { evolve } from "../../src/session/evolve/evolve.ts";
import { emptyConversation, project } from "../../src/session/view/project.ts";
import {
  missingContents,
  readState,
  withContents,
} from "../../src/session/state/snapshot.ts";
import { STATE_VERSION, type State } from "../../src/session/state/state.ts";
import { storedEvent } from "../../src/store/stored.ts";
import { lookThrough } from "../../src/store/sqlite/opening/look-through.ts";
import { readsOf } from "../../src/store/sqlite/reading/reads.ts";
import type { Made } from "./sample-database.ts";

/** By what was asked: the answer as text, or null where the damage was noticed. */
export type Served = ReadonlyMap<string, string | null>;

type Reads = ReturnType<typeof readsOf>;

/** Null when the database could not even be opened, or is known to be damaged once it is. */
export const servedBy = (path: string, made: Made): Served | null => {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path, { readOnly: true });
    return lookThrough(db) === null ? askAll(readsOf(db), made) : null;
  } catch {
    return null;
  } finally {
    db?.close();
  }
};

const askAll = (reads: Reads, made: Made): Served => {
  const served = new Map<string, string | null>();
  const ask = (what: string, work: () => unknown): void => {
    try {
      served.set(what, JSON.stringify(noticing(work())));
    } catch {
      served.set(what, null);
    }
  };
  const page = { limit: 100, from: null };
  ask("sessions", () => reads.sessions(page));
  ask("sessions of a directory", () =>
    reads.sessions({
      ...page,
      near: { place: LOCAL, path: "/" },
      states: ["RUNNING", "PAUSED"],
    }),
  );
  ask("executors", () => reads.executors(null));
  ask("tasks", () => reads.tasks(page));
  ask("checkpoints", () => reads.needed({ after: null, limit: 100 }));
  for (const session of made.sessions) {
    ask(`session ${session}`, () => reads.session(session));
    ask(`state of ${session}`, () => stateOf(reads, session));
    ask(`events of ${session}`, () => eventsOf(reads, session));
    ask(`messages of ${session}`, () => messagesOf(reads, session));
    ask(`message starts of ${session}`, () => startsOf(reads, session));
    ask(`checkpoints of ${session}`, () => reads.checkpoints(session));
    ask(`variables of ${session}`, () => reads.env(session));
  }
  for (const prompt of made.prompts)
    ask(`prompt ${prompt.id}`, () => reads.prompt(prompt));
  for (const permission of made.permissions)
    ask(`permission ${permission.id}`, () => reads.permission(permission));
  for (const task of made.tasks) {
    ask(`task ${task}`, () => reads.task(task));
    ask(`events of ${task}`, () => taskEventsOf(reads, task));
  }
  for (const receipt of made.receipts)
    ask(`receipt ${receipt.scope} ${receipt.key}`, () =>
      reads.receipt(receipt),
    );
  return served;
};

/** Folded as a server does it: from the snapshot, where that can be trusted. */
const stateOf = (reads: Reads, session: SessionId): unknown => {
  const beginning = reads.beginning({ session, version: STATE_VERSION });
  if (beginning === null || beginning === "damaged row") return beginning;
  const { snapshot } = beginning;
  const state = bodiesOf(reads, session, snapshot?.seq ?? 0)
    .map(storedEvent)
    .reduce<State | null>(
      evolve,
      snapshot === null ? null : readState(snapshot.state),
    );
  if (state === null || snapshot === null) return state;
  const named = new Set(missingContents(state, snapshot.seq));
  const events = bodiesOf(reads, session, 0)
    .map(storedEvent)
    .filter(({ seq }) => named.has(seq));
  return withContents(state, snapshot.seq, events);
};

const eventsOf = (reads: Reads, session: SessionId) =>
  bodiesOf(reads, session, 0).map(storedEvent);

const messagesOf = (reads: Reads, session: SessionId) => {
  const conversation = emptyConversation();
  for (const event of eventsOf(reads, session)) project(conversation, event);
  return conversation.messages;
};

const startsOf = (reads: Reads, session: SessionId) => {
  const starts: unknown[] = [];
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const page = reads.messageStarts({ session, before, limit: 10 });
    if (page === "damaged row" || page.damage !== null)
      throw new Error("noticed");
    starts.push(...page.starts, page.rest);
    if (page.reached === before) return starts;
    before = page.reached;
  }
};

const bodiesOf = (
  reads: Reads,
  session: SessionId,
  after: number,
): string[] => {
  const bodies: string[] = [];
  for (;;) {
    const page = reads.events({
      session,
      after: after + bodies.length,
      limit: 1000,
    });
    if (page === "damaged row" || page.damage !== null)
      throw new Error("noticed");
    bodies.push(...page.bodies);
    if (page.bodies.length === 0) return bodies;
  }
};

const taskEventsOf = (reads: Reads, task: string): string[] => {
  const { bodies, damage } = reads.taskEvents({ task, after: 0, limit: 1000 });
  if (damage !== null) throw new Error("noticed");
  return bodies;
};

/** An answer in which nothing is marked as damaged. */
const noticing = (answer: unknown): unknown => {
  const marks = ['"damaged row"', '"stored":null', '"isDamaged":true'];
  const text = JSON.stringify(answer);
  const lists = z
    .object({ doubtful: z.array(z.string()), damaged: z.array(z.string()) })
    .partial()
    .safeParse(answer);
  const { doubtful = [], damaged = [] } = lists.data ?? {};
  if (
    marks.some((mark) => text.includes(mark)) ||
    doubtful.length > 0 ||
    damaged.length > 0
  )
    throw new Error("noticed");
  return answer;
};
