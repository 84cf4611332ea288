import type { Event } from "../../contract/event/event.ts";
import type {
  LineAnswer,
  Mark,
  SmallMark,
} from "../../contract/session/line.ts";
import type { Entry, Line } from "../state/line.ts";
import { isTurn } from "./entry.ts";
import { rememberedOf } from "./knowledge.ts";
import { evolveLine, initialLine } from "./line.ts";
import { onLine } from "./on-line.ts";

/** What a line shows, oldest first. */
export const marksOf = (line: Line): Mark[] => {
  const isOn = onLine(line);
  return line.entries.map((entry) => {
    if (!isTurn(entry)) return entry;
    const behind = !isOn(entry.turn);
    const memory = behind ? "none" : rememberedOf(line.knows, entry.turn);
    return { ...entry, memory, behind, forks: [] };
  });
};

/** The marks of a whole journal. */
export const lineOf = (events: readonly Event[]): Mark[] =>
  marksOf(events.reduce(evolveLine, initialLine));

export const answerOf = (line: Line): LineAnswer => {
  const { entries: _, seq, ...fold } = line;
  return { marks: marksOf(line), seq, fold };
};

/** The line of an answer: events behind it can be folded in. */
export const lineFrom = ({ marks, seq, fold }: LineAnswer): Line => ({
  ...fold,
  seq,
  entries: marks.map(entryOf),
});

const entryOf = (mark: Mark): Entry => {
  if (mark.kind !== "turn") return mark;
  const { memory: _, behind: __, forks: ___, ...entry } = mark;
  return entry;
};

/** A mark as lists show it. */
export const smallOf = (mark: Mark): SmallMark => {
  switch (mark.kind) {
    case "turn": {
      const { kind, turn, outcome, memory, behind, capture, changes } = mark;
      const changed = changes === null ? null : changes.files > 0;
      return { kind, turn, outcome, memory, behind, capture, changed };
    }
    case "break":
      return { kind: "break", grade: mark.resume?.grade ?? null };
    case "rewound":
      return { kind: "rewound", to: mark.to };
    case "start":
    case "rest":
    case "tick":
    case "ended":
      return { kind: mark.kind };
    case "handed_off":
      return { kind: "handed_off", to: mark.to };
  }
};
