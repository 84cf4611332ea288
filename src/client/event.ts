import type { z } from "zod";
import { Event } from "../contract/event.ts";

/**
 * An event as it came over the wire: its envelope is checked. The data of a known type is taken at its type's word and
 * an unknown type passes as it is, because a client may be older than its server: whoever switches over `type` must
 * let unknown ones go by.
 */
export const parseEvent = (json: string): Event =>
  trust(Event.parse(JSON.parse(json)));

export const trust = (checked: z.output<typeof Event>): Event =>
  checked as Event;
