/** A session changes hands because of a quota, between two turns. */
import type { Command } from "../../state/command.ts";
import { type HandOver, handOverOf } from "../../state/quota/hand-over.ts";
import type { State } from "../../state/state.ts";
import type { Decision } from "../decision.ts";
import type { Draft } from "../draft.ts";
import { queuePrompt } from "../prompts.ts";
import { recordFilled } from "./filled.ts";
import { askForAgent, endRest, startNextTurn } from "../start.ts";
import { stop } from "../stop.ts";

/** The agent changes and its prompt goes on there in one append: a crash leaves both or neither. */
export const handOver = (
  draft: Draft,
  command: Extract<Command, { type: "quota.hand_over" }>,
): Decision => {
  const { to, prompt_id, by, definition, abilities } = command;
  const due = handOverOf(draft.state);
  if (due?.to !== to || due.prompt_id !== prompt_id) return draft.done();
  const { agent: from } = draft.state.agent.definition;
  if (due.why === "failed") recordFailed(draft, from);
  draft.emit({
    type: "session.handed_off",
    data: {
      from,
      definition,
      abilities,
      quota: { why: due.why, until: untilFor(draft.state, due) },
    },
  });
  stop(draft, "handoff");
  if (prompt_id !== null && by !== null) {
    draft.emit({
      type: "session.prompt.resolved",
      data: {
        prompt_id,
        action: "continue",
        by: by.prompt_id,
        unasked: true,
      },
    });
    queuePrompt(draft, by, true, true);
  }
  if (draft.state.lifecycle.name === "WAITING_FOR_INPUT") startNextTurn(draft);
  else if (draft.state.prompts.queue.length > 0) askForAgent(draft, "prompt");
  return draft.done();
};

/** It is not asked again for this prompt. */
const recordFailed = (draft: Draft, agent: string): void => {
  const { lifecycle } = draft.state;
  if (lifecycle.name !== "ERROR") return;
  const { message, restriction, code, failure } = lifecycle;
  draft.emit({
    type: "session.quota.passed_over",
    data: {
      agent,
      code:
        restriction === undefined
          ? (code ?? failure ?? "start_failed")
          : "restriction_not_held",
      message,
    },
  });
};

/** The time that the agent named, where it named one. */
const untilFor = (
  { quotas, agent: { definition } }: State,
  { why }: HandOver,
): string | null => {
  if (why !== "used_up") return null;
  const quota = quotas.known.find(({ agent }) => agent === definition.agent);
  return quota?.is_told === true ? quota.until : null;
};

/** Ignored where the agent is not to be tried any more. */
export const passOver = (
  draft: Draft,
  { agent, code, message }: Extract<Command, { type: "quota.pass_over" }>,
): Decision => {
  if (handOverOf(draft.state)?.to !== agent) return draft.done();
  draft.emit({
    type: "session.quota.passed_over",
    data: { agent, code, message },
  });
  // Where the session was only to go back, it goes on as it is.
  startNextTurn(draft);
  return draft.done();
};

/** A time has come at which a quota is filled again, as far as anybody knows. */
export const look = (draft: Draft): Decision => {
  recordFilled(draft);
  startNextTurn(draft);
  endRest(draft);
  return draft.done();
};
