/**
 * JSON as it rests in a store. We wrote it ourselves through the typed port, and its checksum says that it is still what we
 * wrote, so reading looks only whether it is the kind of thing it should be: checking every field would cost more than the
 * read.
 */
import type { Event } from "../contract/event/event.ts";
import type { PlaceRef } from "../contract/base/place.ts";
import { LOCAL } from "../contract/base/place-key.ts";
import { RepriseError } from "../contract/problem/reprise-error.ts";
import type {
  CheckpointEvent,
  NeededByCheckpoint,
} from "../runtime/ports/store.ts";
import type { Executor, Session } from "../contract/session/session.ts";
import { listedTask } from "../contract/task/listed-task.ts";
import type { TaskEvent } from "../contract/task/task-event.ts";
import type { Task } from "../contract/task/task.ts";

export const storedEvent = (json: string): Event =>
  decode(json, "event", isEvent);
export const storedCheckpoint = (json: string): CheckpointEvent =>
  decode(json, "checkpoint", isCheckpointEvent);
export const storedTaskEvent = (json: string): TaskEvent =>
  decode(json, "event", isTaskEvent);
/** Older releases did not tell whether a task needs a permission, and kept long texts in what lists show. */
export const storedTask = (json: string): Task => {
  const view = decode(json, "task", isTask);
  return listedTask({ ...view, needs_permission: asksIn(view) ?? false });
};
/** Older releases did not name a place, and drew no line. */
export const storedSession = (json: string): Session => {
  const view = decode(json, "session", isSession);
  return { ...view, ...addedTo(view) };
};
const addedTo = ({
  place = LOCAL,
  line_tail = [],
}: Partial<Session>): Pick<Session, "place" | "line_tail"> => ({
  place,
  line_tail,
});
export const storedExecutor = (json: string): Executor =>
  decode(json, "executor", isExecutor);
export const storedEnv = (json: string): Record<string, string> =>
  decode(json, "environment", isEnv);

/** Whether it tells what came of a checkpoint. */
export const isCheckpoint = (event: Event): event is CheckpointEvent =>
  event.type === "session.checkpoint.saved" ||
  event.type === "session.checkpoint.partial" ||
  event.type === "session.checkpoint.failed";

/** What must be kept for it, in the vault of the place where its session works. */
export const neededBy = (
  { data }: CheckpointEvent,
  place: PlaceRef | null,
): NeededByCheckpoint => {
  const { id, turn, kind, tree, agent_state } = data.checkpoint;
  return { id, turn, kind, tree, agent_state, place };
};

const isEvent = (value: unknown): value is Event =>
  isObject(value) && "seq" in value && "type" in value && "data" in value;
const isTaskEvent = (value: unknown): value is TaskEvent =>
  isObject(value) && "seq" in value && "type" in value && "task_id" in value;
const isTask = (value: unknown): value is Task =>
  isObject(value) && "id" in value && "title" in value;
const isCheckpointEvent = (value: unknown): value is CheckpointEvent =>
  isEvent(value) && isCheckpoint(value);
const isSession = (value: unknown): value is Session =>
  isObject(value) && "id" in value && "state" in value;
const asksIn = ({ needs_permission }: Partial<Task>): boolean | undefined =>
  needs_permission;
const isExecutor = (value: unknown): value is Executor =>
  isObject(value) && "id" in value && "epoch" in value;
const isEnv = (value: unknown): value is Record<string, string> =>
  isObject(value) &&
  !Array.isArray(value) &&
  Object.values(value).every((text) => typeof text === "string");
const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null;

const decode = <T>(
  json: string,
  what: string,
  is: (value: unknown) => value is T,
): T => {
  const value = parse(json);
  if (is(value)) return value;
  throw new RepriseError(
    "storage_damaged",
    `A stored ${what} is damaged. Stop the server, keep a copy of the database and restore it from a backup.`,
  );
};

/** Undefined, which no JSON stands for, when the text is no JSON. */
const parse = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};
