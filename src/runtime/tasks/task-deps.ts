import type { SessionId, TaskId } from "../../contract/base/id.ts";
import type { PlaceRef } from "../../contract/base/place.ts";
import type { CommitFeed } from "../../journal/commit-feed.ts";
import type { Receipts } from "../../journal/receipts.ts";
import type { Lanes } from "../../kit/time/lanes.ts";
import type { Later } from "../../kit/time/later.ts";
import type { NewIds } from "../../task/command.ts";
import type { ProfileDeps } from "../callers/chosen-profile.ts";
import type { SessionOperations } from "../operations/operations.ts";
import type { Clock, Ids, Log } from "../ports/home.ts";
import type { Store } from "../ports/store.ts";
import type { Engine } from "../sessions/session-journal.ts";
import type { TaskEngine, Tasks } from "./task-journal.ts";

/** What is done for tasks is done with these. */
export interface TaskDeps extends ProfileDeps {
  tasks: TaskEngine;
  commits: CommitFeed<Tasks>;
  sessions: Engine;
  operations: SessionOperations;
  store: Store;
  /** Other hosts on which sessions can be started. */
  hosts: readonly PlaceRef[];
  receipts: Receipts;
  lanes: Lanes;
  ids: Ids;
  clock: Clock;
  later: Later;
  log: Log;
  /** The environment of who last asked something of a task: it is secret, so it is kept in memory alone. */
  callers: Map<TaskId, Record<string, string>>;
  /** Sees to it that what became of a session is known, also to its task. */
  hearOut: (session: SessionId) => Promise<void>;
  /** How long an attempt that has used up its time may take to end its turn. */
  stopMs: number;
}

export const newIds = ({ ids }: Pick<TaskDeps, "ids">): NewIds => ({
  attempt_id: ids.attempt(),
  prompt_id: ids.prompt(),
});
