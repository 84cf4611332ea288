/** What became of a question that is over. */
import type { PermissionCloseReason } from "../../../src/contract/agent/permission.ts";
import type { ClosedQuestion } from "../store/session/questions.ts";
import { answersOf } from "./permission-words.ts";

/** `Answered elsewhere: Allow.`, `Closed: the agent died.` */
export const closedWords = ({ permission, how }: ClosedQuestion): string => {
  if (how.kind === "closed") return `Closed: ${reasons[how.reason]}.`;
  const chosen = answersOf(permission.options).find(
    ({ optionId }) => optionId === how.optionId,
  );
  const by = how.by === "policy" ? "by a rule" : "elsewhere";
  return `Answered ${by}: ${chosen?.label ?? how.optionId}.`;
};

const reasons: Readonly<Record<PermissionCloseReason, string>> = {
  turn_ended: "the turn ended",
  cancelled: "the turn was cancelled",
  agent_died: "the agent died",
  paused: "the session was paused",
  ended: "the session ended",
  too_many: "the agent asked for too much at once",
};
