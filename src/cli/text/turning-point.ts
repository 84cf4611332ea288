import type { Event, EventOf } from "../../contract/event/event.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { count } from "../terminal/age.ts";
import { handOverWords, passedOverWords } from "./quota.ts";

/** The events after which a conversation is another one than it was. */
export type TurningPoint = EventOf<
  "session.rewound" | "session.handed_off" | "session.quota.passed_over"
>;

export const isTurningPoint = (event: Event): event is TurningPoint =>
  event.type === "session.rewound" ||
  event.type === "session.handed_off" ||
  event.type === "session.quota.passed_over";

export const turningPoint = (event: TurningPoint): string => {
  switch (event.type) {
    case "session.rewound": {
      const { turn, checkpoint_id, changes } = event.data;
      return `── back to turn ${turn} (${checkpoint_id}): ${count(changes, "path")} changed`;
    }
    case "session.handed_off": {
      const from = oneLine(event.data.from);
      const to = oneLine(event.data.definition.agent);
      const { quota } = event.data;
      return quota === undefined
        ? `── handed off from ${from} to ${to}`
        : `── ${handOverWords(from, to, quota, new Date(event.at))}`;
    }
    case "session.quota.passed_over":
      return `── ${passedOverWords(event.data)}`;
    default:
      return unreachable(event);
  }
};
