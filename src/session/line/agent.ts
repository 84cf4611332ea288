/** What becomes of the agent: it dies, rests, and comes back. */
import type { EventDataOf } from "../../contract/event/event.ts";
import type { Resume } from "../../contract/agent/resume.ts";
import type { Ending } from "../../contract/session/ending.ts";
import type { Knowledge } from "../../contract/session/line.ts";
import { isTurn, newestPause, withResume } from "./entry.ts";
import { nothingUpTo, remindedOf } from "./knowledge.ts";
import { onLine } from "./on-line.ts";
import { added, newestNumber, toldAll } from "./parts.ts";
import type { Line } from "../state/line.ts";

/** A gap is a death. Deaths with no life between them are one gap: the first says how it began. */
export const ended = (line: Line, ending: Ending, at: string): Line => {
  const { asked = false, cut: turn = null } = line.execution ?? {};
  const after = { ...line, execution: null };
  if (asked || ending.kind === "stopped") return after;
  if (line.is_open && newestPause(line.entries)?.kind === "break") return after;
  return {
    ...added(after, {
      kind: "break",
      at,
      ending,
      turn,
      resume: null,
      resumed_at: null,
    }),
    is_open: true,
    is_fresh: true,
  };
};

/** Where nothing runs already, a pause stops nothing. */
export const rested = (line: Line, at: string): Line =>
  line.is_open
    ? line
    : {
        ...added(line, { kind: "rest", at, resume: null, resumed_at: null }),
        is_open: true,
      };

/** What ran in the other home did not die: the session was moved. */
export const moved = (line: Line): Line =>
  line.is_fresh
    ? {
        ...line,
        entries: line.entries.slice(0, -1),
        is_open: false,
        is_fresh: false,
      }
    : line;

export const resumed = (
  line: Line,
  { resume, forgotten = 0 }: EventDataOf<"session.resumed">,
  at: string,
): Line => {
  switch (resume.grade) {
    case "reattached":
      return ticked(line, resume, at);
    case "injected":
      return toldAll(back(line, resume, at));
    case "fresh":
      return {
        ...back(line, resume, at),
        knows: nothingUpTo(newestNumber(line)),
        is_history_due: false,
      };
    case "native":
      return { ...back(line, resume, at), knows: reminded(line, forgotten) };
    case null:
      return back(line, resume, at);
  }
};

/** Many restarts of a server in a row are one tick. */
const ticked = (line: Line, resume: Resume, at: string): Line => {
  const tick = { kind: "tick", at, resume } as const;
  return line.entries.at(-1)?.kind === "tick"
    ? { ...line, entries: [...line.entries.slice(0, -1), tick] }
    : added(line, tick);
};

/**
 * The resume is told at the break or the rest that it ends. An agent that was stopped for another reason than a pause has
 * rested too, unless a rewind or a handoff is the reason: these have a mark of their own.
 */
const back = (line: Line, resume: Resume, at: string): Line => {
  if (line.is_open)
    return {
      ...line,
      entries: withResume(line.entries, { resume, resumed_at: at }),
      is_open: false,
    };
  const newest = line.entries.at(-1)?.kind;
  return newest === "turn" || newest === "tick"
    ? added(line, { kind: "rest", at, resume, resumed_at: at })
    : line;
};

/** The newest turns that were cut off are told to the agent: its own session does not hold them. */
const reminded = (line: Line, forgotten: number): Knowledge => {
  if (forgotten === 0) return line.knows;
  const isOn = onLine(line);
  const turns = line.entries
    .filter(isTurn)
    .filter(
      ({ outcome, turn }) =>
        (outcome === "interrupted" || outcome === "uncertain") && isOn(turn),
    )
    .map(({ turn }) => turn);
  return remindedOf(line.knows, turns.slice(-forgotten));
};
