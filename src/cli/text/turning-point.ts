import type { Event, EventOf } from "../../contract/event/event.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { count } from "../terminal/age.ts";

/** The events after which a conversation is another one than it was. */
export type TurningPoint = EventOf<"session.rewound" | "session.handed_off">;

export const isTurningPoint = (event: Event): event is TurningPoint =>
  event.type === "session.rewound" || event.type === "session.handed_off";

export const turningPoint = (event: TurningPoint): string => {
  switch (event.type) {
    case "session.rewound": {
      const { turn, checkpoint_id, changes } = event.data;
      return `── back to turn ${turn} (${checkpoint_id}): ${count(changes, "path")} changed`;
    }
    case "session.handed_off": {
      const { from, definition } = event.data;
      return `── handed off from ${oneLine(from)} to ${oneLine(definition.agent)}`;
    }
    default:
      return unreachable(event);
  }
};
