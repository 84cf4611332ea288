/** Tasks as the journal's engine sees them. */
import type { TaskId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { TaskEvent } from "../../contract/task/task-event.ts";
import type { CommitFeed } from "../../journal/commit-feed.ts";
import type { Engine } from "../../journal/engine.ts";
import type { JournalStore } from "../../journal/journal-store.ts";
import type { Decision, Journaled, Kind } from "../../journal/journaled.ts";
import type { Command, Create } from "../../task/command.ts";
import { decide, decideCreate } from "../../task/decide.ts";
import type { Decision as TaskDecision } from "../../task/draft.ts";
import { evolve } from "../../task/evolve.ts";
import { intend } from "../../task/intend.ts";
import { openAttempt, type State } from "../../task/state.ts";
import { dueAt } from "../../task/timeout.ts";
import { listedTaskView } from "../../task/view.ts";
import { isTaskDamaged } from "../failures/task-damaged.ts";
import type { TaskDerived, TaskStore } from "../ports/task-store.ts";
import type { OutboxEntriesOf } from "../ports/webhook-store.ts";

export interface Tasks extends Kind {
  id: TaskId;
  state: State;
  command: Command;
  create: Create;
  event: TaskEvent;
  derived: TaskDerived;
}

export type TaskEngine = Engine<Tasks>;
export type TaskCommits = CommitFeed<Tasks>;

export const tasks: Journaled<Tasks> = {
  create: (create, at) => decisionOf(decideCreate(create, at)),
  decide: (state, command, at) => decisionOf(decide(state, command, at)),
  evolve,
  derive: (_events, _before, after) => ({
    view: listedTaskView(after),
    is_live: isLive(after),
    due_at: dueAt(after),
  }),
  idOf: ({ id }) => id,
  placeOf: ({ place }) => place,
  isActive: isLive,
  // A task has few events: they are folded whenever it is read.
  snapshots: null,
  notFound: (id, why) =>
    new RepriseError(
      "task_not_found",
      why === "unknown"
        ? `There is no task ${id}.`
        : `Task ${id} was removed while it was read.`,
    ),
  isDamaged: isTaskDamaged,
};

/** The world has to do something for it, or it waits for one of its sessions. */
function isLive(state: State): boolean {
  return openAttempt(state) !== null || intend(state).length > 0;
}

/** The part of a store that holds the journals of tasks. */
export const taskJournals = (
  store: TaskStore,
  outboxEntriesOf: OutboxEntriesOf,
): JournalStore<Tasks> => ({
  append: ({ place, id, after, events, derived, receipt }) =>
    store.appendTask({
      place,
      task_id: id,
      after,
      events,
      receipt,
      outbox: outboxEntriesOf(events),
      ...derived,
    }),
  load: async (id) => {
    const found = await store.loadTask(id);
    return found === null ? null : { ...found, snapshot: null };
  },
  events: (id, after, limit) => store.taskEvents(id, after, limit),
  purge: (place, id) => store.purgeTask(place, id),
});

const decisionOf = (decision: TaskDecision): Decision<Tasks> => {
  if (decision.kind === "events") return decision;
  const { code, detail, state } = decision;
  return { kind: "refused", error: new RepriseError(code, detail, { state }) };
};
