/** The newest marks of a line, which a state holds for lists: their number is limited, however long the session is. */
import type { Event } from "../../contract/event/event.ts";
import { type SmallMark, TAIL_MARKS } from "../../contract/session/line.ts";
import type { Line } from "../state/line.ts";
import { isTurn } from "./entry.ts";
import { evolveLine } from "./line.ts";
import { marksOf, smallOf } from "./marks.ts";
import { onLine } from "./on-line.ts";

/**
 * The tail after an event. What became of turns that are not in it matters to none that are, but for how many messages a
 * history left out: after a rewind to one that is not, those count as told.
 */
export const evolveTail = (tail: Line, event: Event): Line => {
  const after = evolveLine(tail, event);
  return after.entries.length > TAIL_MARKS ? cut(after) : after;
};

const cut = (line: Line): Line => {
  const entries = line.entries.slice(-TAIL_MARKS);
  const first = entries.find(isTurn)?.turn ?? line.last + 1;
  const isOn = onLine(line);
  const [gone, messages] = [
    line.messages.filter(({ turn }) => turn < first),
    line.messages.filter(({ turn }) => turn >= first),
  ];
  const inherited = gone
    .filter(({ turn }) => isOn(turn))
    .reduce((sum, each) => sum + each.messages, line.inherited);
  const known = line.knew.findLastIndex(({ turn }) => turn <= first);
  return {
    ...line,
    entries,
    messages,
    inherited,
    knew: line.knew.slice(Math.max(0, known)),
  };
};

export const tailOf = (tail: Line): SmallMark[] => marksOf(tail).map(smallOf);
