/** What the agent is told of what was said, and what a rewind makes of that. */
import type { EventDataOf } from "../../contract/event/event.ts";
import { allOwn, toldUpTo, withoutOldest } from "./knowledge.ts";
import { onLine } from "./on-line.ts";
import { added, type Line } from "./parts.ts";

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
  { turn: to, from_turn: at, memory, changes }: EventDataOf<"session.rewound">,
): Line => {
  const after = {
    ...added(line, { kind: "rewound", to, files: changes }),
    rewinds: [...line.rewinds, { at, to }],
  };
  if (memory === null)
    return { ...after, knows: toldUpTo(to), is_history_due: to > 0 };
  const then = line.knew.findLast(({ turn }) => turn <= to);
  return { ...after, knows: then?.knows ?? allOwn, is_history_due: false };
};
