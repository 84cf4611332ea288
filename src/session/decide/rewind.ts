/** Back to an earlier turn: the agent is stopped, what is there is captured, the workspace and the conversation go back. */
import type { Command } from "../state/command.ts";
import { attributesLeftOut } from "../../contract/session/checkpoint.ts";
import type { Decision } from "./decision.ts";
import type { Draft } from "./draft.ts";
import { askForAgent, startNextTurn } from "./start.ts";
import { stop } from "./stop.ts";
import { seenOf } from "../state/rewind.ts";

export const rewind = (
  draft: Draft,
  command: Extract<Command, { type: "session.rewind" }>,
): Decision => {
  const { turn, checkpoint_id, tree, memory, own, others, seen } = command;
  const { keep_besides } = command;
  const { execution } = draft.state;
  const { rewinding } = draft.state.checkpoints;
  if (rewinding !== null)
    return draft.refuse(
      "wrong_state",
      `The session is being rewound to turn ${rewinding.turn} already.`,
    );
  const now = seenOf(draft.state);
  const isAsSeen =
    seen.last_turn === now.last_turn &&
    seen.checkpoint_id === now.checkpoint_id;
  if (!isAsSeen)
    return draft.refuse(
      "wrong_state",
      "The session went on while the rewind was looked into. Nothing was touched: look at what came, then ask again.",
    );
  draft.emit({
    type: "session.rewind.requested",
    data: {
      turn,
      checkpoint_id,
      tree,
      memory,
      own,
      others,
      ...(keep_besides && { keep_besides }),
    },
  });
  if (execution?.phase.kind !== "stopping") stop(draft, "rewind");
  return draft.done();
};

export const finishRewind = (
  draft: Draft,
  {
    changes,
    incomplete = [],
    commit_missing = false,
  }: Extract<Command, { type: "rewind.done" }>,
): Decision => {
  const { checkpoints, turns, execution } = draft.state;
  const { rewinding } = checkpoints;
  if (rewinding === null || execution !== null) return draft.done();
  const { turn, checkpoint_id, memory } = rewinding;
  draft.emit({
    type: "session.rewound",
    data: { turn, from_turn: turns.last, checkpoint_id, memory, changes },
  });
  if (incomplete.length > 0)
    draft.notice(
      "warning",
      "attributes_left_out",
      attributesLeftOut(incomplete),
    );
  if (commit_missing)
    draft.notice(
      "warning",
      "git_left_as_is",
      "The files are back, but git stayed as it was in a repository: it does not have the commit of then any more, or the checkpoint does not tell which one that was. HEAD and its branch were not moved there.",
    );
  goOn(draft);
  return draft.done();
};

/** The conversation stays what it was. Where files may have been replaced, the message says how to have them back. */
export const failRewind = (
  draft: Draft,
  { code, message, undo_id }: Extract<Command, { type: "rewind.fail" }>,
): Decision => {
  const { rewinding } = draft.state.checkpoints;
  if (rewinding === null) return draft.done();
  draft.emit({
    type: "session.rewind.failed",
    data: { turn: rewinding.turn, code, message, ...(undo_id && { undo_id }) },
  });
  draft.notice("error", "rewind_failed", message);
  goOn(draft);
  return draft.done();
};

/** Prompts that came meanwhile get their turn, or bring the agent back. */
const goOn = (draft: Draft): void => {
  const { lifecycle, prompts } = draft.state;
  if (lifecycle.name === "WAITING_FOR_INPUT") startNextTurn(draft);
  else if (lifecycle.name !== "STARTING" && prompts.queue.length > 0)
    askForAgent(draft, "prompt");
};
