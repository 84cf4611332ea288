/** What the agent is told of what was said, and what a rewind makes of that. */
import type { EventDataOf } from "../../contract/event/event.ts";
import { allOwn, toldUpTo, withoutOldest } from "./knowledge.ts";
import { onLine } from "./on-line.ts";
import { added } from "./parts.ts";
import type { Line } from "../state/line.ts";

/** The oldest messages of the history did not fit: of turns of which none did, the agent knows nothing. */
export const leftOut = (line: Line, messages: number): Line => {
  if (!line.is_history_due || messages === 0) return line;
  const isOn = onLine(line);
  let left = messages - line.inherited;
  let none = 0;
  for (const each of line.messages) {
    if (!isOn(each.turn)) continue;
    left -= each.messages;
    if (left < 0) break;
    none = each.turn;
  }
  return { ...line, knows: withoutOldest(line.knows, none) };
};

/** The agent gets its memory of then back, or is told of everything before. */
export const rewound = (
  line: Line,
  {
    turn: to,
    from_turn,
    memory,
    changes,
  }: Omit<EventDataOf<"session.rewound">, "checkpoint_id" | "memory"> & {
    /** Null: the agent has no files of then. */
    memory: object | string | null;
  },
  at: string,
): Line => {
  const after = {
    ...added(line, { kind: "rewound", at, to, files: changes }),
    rewinds: [...line.rewinds, { at: from_turn, to }],
  };
  if (memory === null)
    return { ...after, knows: toldUpTo(to), is_history_due: to > 0 };
  const then = line.knew.findLast(({ turn }) => turn <= to);
  return { ...after, knows: then?.knows ?? allOwn, is_history_due: false };
};
