import type { StateName } from "../../contract/session/state.ts";
import type { CommandType } from "../state/command.ts";

/**
 * What each state does with each command. `accept` hands on to the deciding function, which may still refuse for a
 * reason of its own.
 */
export type Verdict =
  | "accept"
  /** Nothing to do, and that is a good answer. */
  | "ignore"
  | "wrong_state"
  | "session_ended";

export const verdictOf = (state: StateName, command: CommandType): Verdict =>
  rows[command][columns[state]];

/** A verdict for every column: a command does not compile until all are written. */
type Row = readonly [
  created: Verdict,
  starting: Verdict,
  running: Verdict,
  waiting: Verdict,
  paused: Verdict,
  error: Verdict,
  ended: Verdict,
];

/** The same for a new state: it has a column of its own, or shares one. */
const columns = {
  CREATED: 0,
  STARTING: 1,
  RUNNING: 2,
  WAITING_FOR_INPUT: 3,
  PAUSED: 4,
  ERROR: 5,
  COMPLETED: 6,
  CANCELLED: 6,
  FAILED: 6,
} as const satisfies Record<StateName, number>;

const accept = "accept";
const ignore = "ignore";
const refuse = "wrong_state";
const ended = "session_ended";

// prettier-ignore
const rows: Readonly<Record<CommandType, Row>> = {
  //                     CREATED   STARTING  RUNNING   WAITING   PAUSED    ERROR     ended
  "prompt.queue":       [accept,   accept,   accept,   accept,   accept,   accept,   ended],
  "prompt.cancel":      [accept,   accept,   accept,   accept,   accept,   accept,   ended],
  "prompt.resolve":     [accept,   accept,   accept,   accept,   accept,   accept,   ended],
  "turn.cancel":        [refuse,   refuse,   accept,   refuse,   refuse,   refuse,   ended],
  "permission.answer":  [accept,   accept,   accept,   accept,   accept,   accept,   ended],

  "session.pause":      [accept,   accept,   accept,   accept,   ignore,   refuse,   ended],
  "session.rest":       [ignore,   ignore,   ignore,   accept,   ignore,   ignore,   ignore],
  "session.resume":     [accept,   accept,   accept,   accept,   accept,   accept,   ended],
  // Of an ended one only the name.
  "session.change":     [accept,   accept,   accept,   accept,   accept,   accept,   accept],
  "change.keep":        [accept,   accept,   accept,   accept,   accept,   accept,   ignore],
  "session.rewind":     [accept,   refuse,   refuse,   accept,   accept,   accept,   ended],
  "session.handoff":    [accept,   refuse,   refuse,   accept,   accept,   accept,   ended],
  "session.end":        [accept,   accept,   accept,   accept,   accept,   accept,   ended],
  "session.delete":     [accept,   refuse,   refuse,   accept,   accept,   accept,   accept],
  "session.undelete":   [accept,   accept,   accept,   accept,   accept,   accept,   accept],

  "agentctl.report":    [accept,   accept,   accept,   accept,   accept,   accept,   ignore],
  "execution.begin":    [ignore,   accept,   ignore,   ignore,   ignore,   ignore,   ignore],
  "execution.fail":     [ignore,   accept,   ignore,   ignore,   ignore,   ignore,   ignore],
  "execution.reattach": [accept,   accept,   accept,   accept,   accept,   accept,   ignore],
  // The agent of an ended session may still be on its way out.
  "execution.report":   [accept,   accept,   accept,   accept,   accept,   accept,   accept],
  "execution.lose":     [accept,   accept,   accept,   accept,   accept,   accept,   accept],

  "delivery.fail":      [ignore,   ignore,   accept,   ignore,   ignore,   ignore,   ignore],
  "delivery.prepare":   [ignore,   ignore,   accept,   ignore,   ignore,   ignore,   ignore],
  "history.inject":     [ignore,   ignore,   accept,   ignore,   ignore,   ignore,   ignore],

  "workspace.share":    [accept,   accept,   accept,   accept,   accept,   accept,   ignore],
  "checkpoint.secure":  [ignore,   ignore,   accept,   ignore,   ignore,   ignore,   ignore],
  // What the last turn left is still captured: it can be forked.
  "checkpoint.report":  [accept,   accept,   accept,   accept,   accept,   accept,   accept],
  "checkpoint.skip":    [accept,   accept,   accept,   accept,   accept,   accept,   accept],
  "rewind.done":        [accept,   accept,   accept,   accept,   accept,   accept,   ignore],
  "rewind.fail":        [accept,   accept,   accept,   accept,   accept,   accept,   ignore],
};
