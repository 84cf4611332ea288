import * as z from "zod";
import { Event, eventSchemas, type EventType, eventTypes } from "./event.ts";

export const isEventType = (type: string): type is EventType =>
  eventTypes.some((each) => each === type);

/** An event of a journal that somebody else wrote: its envelope and the data of its type are checked, and kept as they are. */
export const JournalEvent = z.custom<Event>((value) => {
  const envelope = Event.safeParse(value);
  if (!envelope.success || !isEventType(envelope.data.type)) return false;
  return eventSchemas[envelope.data.type].safeParse(envelope.data.data).success;
}, "is not an event");
