import type { Migration } from "../migrate.ts";
import { journal } from "./0001-journal.ts";
import { checkpoints } from "./0002-checkpoints.ts";
import { checksums } from "./0003-checksums.ts";
import { wishes } from "./0004-wishes.ts";
import { liveAndDue } from "./0005-live-and-due.ts";
import { neededTrees } from "./0006-checkpoints.ts";
import { snapshotVersions } from "./0007-snapshot-versions.ts";
import { places } from "./0008-places.ts";
import { sweeps } from "./0009-sweeps.ts";
import { tasks } from "./0010-tasks.ts";
import { webhooks } from "./0011-webhooks.ts";
import { lookups } from "./0012-lookups.ts";
import { lines } from "./0013-lines.ts";
import type { Fill, Filling } from "../fill.ts";
import { fillAttention } from "../fill-attention.ts";
import { fillCheckpoints } from "../fill-checkpoints.ts";
import { fillLookups } from "../fill-lookups.ts";
import { fillParents } from "../fill-parents.ts";
import { fillPlaces } from "../fill-places.ts";
import { dropOlderTasks, fillTasks } from "../fill-tasks.ts";

/** In the order they are applied. Add at the end; what has been released is never changed. */
export const migrations: readonly Migration[] = [
  journal,
  checkpoints,
  checksums,
  wishes,
  liveAndDue,
  neededTrees,
  snapshotVersions,
  places,
  sweeps,
  tasks,
  webhooks,
  lookups,
  lines,
];

const ofSessions = (fill: Fill): Filling => ({ table: "sessions", fill });

/** What migrations add for sessions and tasks that are there already. */
export const fills: Readonly<Record<string, Filling>> = {
  [liveAndDue.name]: ofSessions(fillAttention),
  [neededTrees.name]: ofSessions(fillCheckpoints),
  [places.name]: ofSessions(fillPlaces),
  [tasks.name]: {
    table: "older_tasks",
    fill: fillTasks,
    last: dropOlderTasks,
  },
  [lookups.name]: ofSessions(fillLookups),
  [lines.name]: ofSessions(fillParents),
};
