import type { Command } from "../state/command.ts";
import type { Decision } from "./decision.ts";
import type { Draft } from "./draft.ts";
import { endRest, startNextTurn } from "./start.ts";
import { stop } from "./stop.ts";

/** Another agent goes on in the same workspace. It is told the history with its first prompt. */
export const handOff = (
  draft: Draft,
  { definition, abilities }: Extract<Command, { type: "session.handoff" }>,
): Decision => {
  const { definition: before } = draft.state.agent;
  const { rewinding, due } = draft.state.checkpoints;
  if (rewinding !== null)
    return draft.refuse("wrong_state", "The session is being rewound.");
  // It would forget what it knows by itself, and be told it as text.
  if (definition.agent === before.agent)
    return draft.refuse(
      "wrong_state",
      `The session is ${before.agent}'s already. Nothing was done.`,
    );
  // The files that are being captured are the agent's that wrote them.
  if (due !== null)
    return draft.refuse(
      "wrong_state",
      "The workspace is being captured. Hand it off when that is done.",
    );
  if (draft.state.agent.changes.pending.length > 0)
    return draft.refuse(
      "wrong_state",
      "The settings of its agent are being changed. Hand it off when that is done.",
    );
  draft.emit({
    type: "session.handed_off",
    data: { from: before.agent, definition, abilities },
  });
  if (draft.state.execution?.phase.kind !== "stopping") stop(draft, "handoff");
  // What waited for the quota of the agent before does not wait any more.
  startNextTurn(draft);
  endRest(draft);
  return draft.done();
};
