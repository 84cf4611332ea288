import type { DefinitionChange } from "../../contract/api/request.ts";
import type { StateName } from "../../contract/session/state.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { changedDefinition, isSame } from "./change-definition.ts";
import { isNothingAsked } from "../evolve/permissions.ts";
import type { Command } from "../state/command.ts";
import type { State } from "../state/state.ts";
import { type FreshReason, sessionOpening } from "../resume/resume.ts";
import { usedUpUntil } from "../state/quota/held-queue.ts";
import type { WorldReport } from "../state/world-report.ts";
import { breakRewind, breakTurn } from "./close.ts";
import { secureLast } from "./checkpoints.ts";
import type { Decision, Refusal } from "./decision.ts";
import type { Draft } from "./draft.ts";
import { closePermissions } from "./permissions.ts";
import { countOwnAsFilled } from "./quota/filled.ts";
import { askForAgent, startNextTurn } from "./start.ts";
import { stop } from "./stop.ts";
import { credentialsLabel } from "../state/credentials-label.ts";

export const pause = (
  draft: Draft,
  { reason }: Extract<Command, { type: "session.pause" }>,
): Decision => {
  const { lifecycle, execution } = draft.state;
  if (execution === null) draft.changed(lifecycle.name, "PAUSED", reason);
  else if (
    execution.phase.kind !== "stopping" ||
    execution.phase.again !== null ||
    execution.phase.reason === "idle"
  )
    stop(draft, reason);
  return draft.done();
};

/** An agent that has had nothing to do for a while is stopped: agents are what costs. */
export const rest = (draft: Draft): Decision => {
  if (isIdle(draft.state)) stop(draft, "idle");
  return draft.done();
};

export const isIdle = (state: State): boolean =>
  state.lifecycle.name === "WAITING_FOR_INPUT" &&
  state.execution?.phase.kind === "ready" &&
  (state.prompts.queue.length === 0 ||
    state.budget.reached !== null ||
    usedUpUntil(state) !== null) &&
  isNothingAsked(state.permissions);

export const resume = (
  draft: Draft,
  command: Extract<Command, { type: "session.resume" }>,
): Decision => {
  if (command.trigger === "request") {
    const refused = changeDefinition(draft, command.changes ?? {});
    if (refused !== null) return refused;
    if (command.now === true && draft.state.lifecycle.name !== "RUNNING")
      countOwnAsFilled(draft);
  }
  const reason =
    command.trigger === "startup"
      ? whyNotByItself(draft.state, command.report)
      : null;
  if (reason === null)
    askForAgent(draft, command.trigger, lentBy(command, draft.state));
  else draft.notice("warning", reason, explainFresh(reason));
  if (command.trigger === "request" && command.now === true)
    startNextTurn(draft);
  return draft.done();
};

/** With the credentials that a prompt was sent with, a start that failed may fail for ever. */
const lentBy = (
  command: Extract<Command, { type: "session.resume" }>,
  { lifecycle }: State,
): { credentials?: string } =>
  command.trigger === "request" && lifecycle.name === "ERROR"
    ? credentialsLabel(command)
    : {};

/** How the agent is to work may be changed while none runs. */
const changeDefinition = (
  draft: Draft,
  changes: DefinitionChange,
): Refusal | null => {
  const definition = changedDefinition(draft.state.agent.definition, changes);
  if (isSame(definition, draft.state.agent.definition)) return null;
  const { phase } = draft.state.execution ?? {};
  if (phase !== undefined && phase.kind !== "stopping")
    return draft.refuse(
      "wrong_state",
      "The agent runs with what it was started with. Pause the session first, then resume it with the changes.",
    );
  draft.emit({ type: "session.definition.changed", data: { definition } });
  return null;
};

/** An agent that would remember nothing is started only on an explicit request. */
const whyNotByItself = (
  state: State,
  report: WorldReport | null,
): FreshReason | null => {
  const opening = sessionOpening(state, report);
  return opening.strategy === "fresh" ? opening.reason : null;
};

const explainFresh = (reason: FreshReason): string => {
  const advice =
    "Create a new session, or prompt this one to start it without its memory.";
  switch (reason) {
    case "not_resumable":
      return `This agent cannot resume previous sessions. ${advice}`;
    case "missing_resume_token":
      return `The agent's own session id was never learned, so it cannot be asked to resume. ${advice}`;
    case "agent_session_missing":
      return `The agent's own session file is gone and nothing of it was saved. ${advice}`;
    default:
      return unreachable(reason);
  }
};

/** Ends a session for good, whatever it is doing. Its agent is stopped afterwards. */
export const end = (
  draft: Draft,
  { outcome, reason }: Extract<Command, { type: "session.end" }>,
): Decision => {
  const from = draft.state.lifecycle.name;
  closePermissions(draft, "ended");
  breakTurn(
    draft,
    { code: "session_ended", reason: "The session was ended." },
    "none",
  );
  breakRewind(draft, {
    code: "session_ended",
    message:
      "The session was ended meanwhile. Its workspace may have been brought back or not.",
  });
  for (const { id } of draft.state.prompts.queue)
    draft.emit({ type: "session.prompt.cancelled", data: { prompt_id: id } });
  draft.emit({ type: "session.ended", data: { outcome, reason } });
  draft.changed(from, endOf(outcome), reason);
  if (
    draft.state.execution !== null &&
    draft.state.execution.phase.kind !== "stopping"
  )
    stop(draft, "requested");
  secureLast(draft);
  return draft.done();
};

const endOf = (outcome: "completed" | "cancelled" | "failed"): StateName =>
  outcome === "completed"
    ? "COMPLETED"
    : outcome === "cancelled"
      ? "CANCELLED"
      : "FAILED";
