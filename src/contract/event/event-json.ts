import type { Event } from "./event.ts";

/** An event as JSON on one line. The journal and a thousand subscribers of one session cost one serialisation. */
export const eventJson = (event: Event): string => {
  const known = serialised.get(event);
  if (known !== undefined) return known;
  const json = JSON.stringify(event);
  serialised.set(event, json);
  return json;
};

const serialised = new WeakMap<Event, string>();
