import * as z from "zod";
import type { HomeChange } from "../contract/api/stream-route.ts";
import { Event } from "../contract/event/event.ts";
import { type TaskEvent, TaskEventView } from "../contract/task/task-event.ts";

/**
 * An event as it came over the wire: its envelope is checked, and kept as it is. The data of a known type is taken at
 * its type's word and unknown types pass, because a client may be older than its server: whoever switches over `type`
 * must let unknown ones go by.
 */
export const WireEvent = z.custom<Event>(
  (value) => Event.safeParse(value).success,
  "is not an event",
);

/** The same for an event of a task. */
export const WireTaskEvent = z.custom<TaskEvent>(
  (value) => TaskEventView.safeParse(value).success,
  "is not an event of a task",
);

const Envelope = z.object({ seq: z.int(), type: z.string() });

/** The same for a change of the home: a type that is not known passes. */
export const WireHomeChange = z.custom<HomeChange>(
  (value) => Envelope.safeParse(value).success,
  "is not a change",
);

/** For the `default` of a switch over all types known: it does not compile until they are all there. */
export const ofLaterRelease = <T>(_event: never, instead: T): T => instead;
