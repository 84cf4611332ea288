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

const yes = "accept";
const nop = "ignore";
const not = "wrong_state";
const end = "session_ended";

// prettier-ignore
const rows: Readonly<Record<CommandType, Row>> = {
  //                  CREATED  STARTING RUNNING WAITING PAUSED ERROR ended
  "prompt.queue":       [yes,     yes,    yes,    yes,   yes,   yes,  end],
  "prompt.cancel":      [yes,     yes,    yes,    yes,   yes,   yes,  end],
  "prompt.resolve":     [yes,     yes,    yes,    yes,   yes,   yes,  end],
  "turn.cancel":        [not,     not,    yes,    not,   not,   not,  end],
  "permission.answer":  [yes,     yes,    yes,    yes,   yes,   yes,  end],

  "session.pause":      [yes,     yes,    yes,    yes,   nop,   not,  end],
  "session.rest":       [nop,     nop,    nop,    yes,   nop,   nop,  nop],
  "session.resume":     [yes,     yes,    yes,    yes,   yes,   yes,  end],
  "session.rewind":     [yes,     not,    not,    yes,   yes,   yes,  end],
  "session.handoff":    [yes,     not,    not,    yes,   yes,   yes,  end],
  "session.end":        [yes,     yes,    yes,    yes,   yes,   yes,  end],
  "session.delete":     [yes,     not,    not,    yes,   yes,   yes,  yes],
  "session.undelete":   [yes,     yes,    yes,    yes,   yes,   yes,  yes],

  "agentctl.report":    [yes,     yes,    yes,    yes,   yes,   yes,  nop],
  "execution.begin":    [nop,     yes,    nop,    nop,   nop,   nop,  nop],
  "execution.fail":     [nop,     yes,    nop,    nop,   nop,   nop,  nop],
  "execution.reattach": [yes,     yes,    yes,    yes,   yes,   yes,  nop],
  // The agent of an ended session may still be on its way out.
  "execution.report":   [yes,     yes,    yes,    yes,   yes,   yes,  yes],
  "execution.lose":     [yes,     yes,    yes,    yes,   yes,   yes,  yes],

  "delivery.fail":      [nop,     nop,    yes,    nop,   nop,   nop,  nop],
  "delivery.prepare":   [nop,     nop,    yes,    nop,   nop,   nop,  nop],
  "history.inject":     [nop,     nop,    yes,    nop,   nop,   nop,  nop],

  "workspace.share":    [yes,     yes,    yes,    yes,   yes,   yes,  nop],
  "checkpoint.secure":  [nop,     nop,    yes,    nop,   nop,   nop,  nop],
  // What the last turn left is still captured: it can be forked.
  "checkpoint.report":  [yes,     yes,    yes,    yes,   yes,   yes,  yes],
  "checkpoint.skip":    [yes,     yes,    yes,    yes,   yes,   yes,  yes],
  "rewind.done":        [yes,     yes,    yes,    yes,   yes,   yes,  nop],
  "rewind.fail":        [yes,     yes,    yes,    yes,   yes,   yes,  nop],
};
