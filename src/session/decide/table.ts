import type { StateName } from "../../contract/state.ts";
import type { CommandType } from "../state/command.ts";

/**
 * What each state does with each command. Complete by type: a new state or command does not compile until every
 * cell is written. `accept` hands on to the deciding function, which may still refuse for a reason of its own.
 */
export type Verdict =
  | "accept"
  /** Nothing to do, and that is a good answer. */
  | "ignore"
  | "wrong_state"
  | "session_ended";

type Row = Readonly<Record<CommandType, Verdict>>;

const resting: Row = {
  "prompt.queue": "accept",
  "prompt.cancel": "accept",
  "prompt.resolve": "accept",
  "turn.cancel": "wrong_state",
  "permission.answer": "accept",
  "session.pause": "accept",
  "session.rest": "ignore",
  "session.resume": "accept",
  "session.end": "accept",
  "execution.begin": "ignore",
  "agentctl.report": "accept",
  "execution.reattach": "accept",
  "execution.report": "accept",
  "execution.fail": "ignore",
  "execution.lose": "accept",
  "delivery.fail": "ignore",
  "history.inject": "ignore",
  "delivery.prepare": "ignore",
  "workspace.share": "accept",
  "checkpoint.secure": "ignore",
  "checkpoint.report": "accept",
  "checkpoint.skip": "accept",
  "session.rewind": "accept",
  "rewind.done": "accept",
  "rewind.fail": "accept",
  "session.handoff": "accept",
  "session.delete": "accept",
  "session.undelete": "accept",
};

const ended: Row = {
  "prompt.queue": "session_ended",
  "prompt.cancel": "session_ended",
  "prompt.resolve": "session_ended",
  "turn.cancel": "session_ended",
  "permission.answer": "session_ended",
  "session.pause": "session_ended",
  "session.rest": "ignore",
  "session.resume": "session_ended",
  "session.end": "session_ended",
  "execution.begin": "ignore",
  "agentctl.report": "ignore",
  "execution.reattach": "ignore",
  // The agent of an ended session may still be on its way out.
  "execution.report": "accept",
  "execution.fail": "ignore",
  "execution.lose": "accept",
  "delivery.fail": "ignore",
  "history.inject": "ignore",
  "delivery.prepare": "ignore",
  "workspace.share": "ignore",
  "checkpoint.secure": "ignore",
  // What the last turn left is still captured: it can be forked.
  "checkpoint.report": "accept",
  "checkpoint.skip": "accept",
  "session.rewind": "session_ended",
  "rewind.done": "ignore",
  "rewind.fail": "ignore",
  "session.handoff": "session_ended",
  "session.delete": "accept",
  "session.undelete": "accept",
};

export const table: Readonly<Record<StateName, Row>> = {
  CREATED: resting,
  STARTING: {
    ...resting,
    "execution.begin": "accept",
    "execution.fail": "accept",
    "session.rewind": "wrong_state",
    "session.handoff": "wrong_state",
    "session.delete": "wrong_state",
  },
  RUNNING: {
    ...resting,
    "checkpoint.secure": "accept",
    "session.rewind": "wrong_state",
    "session.handoff": "wrong_state",
    "session.delete": "wrong_state",
    "turn.cancel": "accept",
    "execution.fail": "accept",
    "delivery.fail": "accept",
    "history.inject": "accept",
    "delivery.prepare": "accept",
  },
  WAITING_FOR_INPUT: {
    ...resting,
    "session.rest": "accept",
  },
  PAUSED: { ...resting, "session.pause": "ignore" },
  ERROR: { ...resting, "session.pause": "wrong_state" },
  COMPLETED: ended,
  CANCELLED: ended,
  FAILED: ended,
};
