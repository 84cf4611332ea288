import { unreachable } from "../../kit/unreachable.ts";
import type { Command, CommandType } from "../state/command.ts";
import type { State } from "../state/state.ts";
import { verdictOf } from "./table.ts";
import { reportAgentctl } from "./agentctl.ts";
import { change, keep } from "./changes/change.ts";
import { captureTold, secure, share, skip } from "./checkpoints.ts";
import { stampAfter } from "../state/stamp.ts";
import type { Decision } from "./decision.ts";
import { Draft } from "./draft.ts";
import { begin, fail, lose, reattach } from "./execution.ts";
import { end, pause, rest, resume } from "./lifecycle.ts";
import { handOff } from "./handoff.ts";
import { answerPermission } from "./permissions.ts";
import {
  admitPrompt,
  cancelPrompt,
  failDelivery,
  recordInjection,
  recordPrepared,
  resolvePrompt,
} from "./prompts.ts";
import { report } from "./report.ts";
import { failRewind, finishRewind, rewind } from "./rewind.ts";
import { remove, undelete } from "./trash.ts";
import { cancelTurn } from "./turn.ts";

/** What a command does to a session: events or a refusal. Pure: state, command and time come in as arguments. */
export const decide = (
  state: State,
  command: Command,
  at: string,
): Decision => {
  const verdict =
    state.deleted_at !== null && refusedInTrash.has(command.type)
      ? "session_deleted"
      : verdictOf(state.lifecycle.name, command.type);
  const draft = new Draft(
    state,
    { session_id: state.id, task_id: state.created.task_id },
    stampAfter(state.times.newest_at, at),
  );
  switch (verdict) {
    case "accept":
      return accept(draft, command);
    case "ignore":
      return draft.done();
    case "wrong_state":
      return draft.refuse("wrong_state", whyNotNow(command));
    case "session_ended":
      return draft.refuse(
        "session_ended",
        "The session has ended; its conversation can still be read, and another can be forked from it.",
        "ended",
      );
    case "session_deleted":
      return draft.refuse(
        "session_deleted",
        "The session is in the trash. Take it out first.",
        "deleted",
      );
    default:
      return unreachable(verdict);
  }
};

const accept = (draft: Draft, command: Command): Decision => {
  switch (command.type) {
    case "prompt.queue":
      return admitPrompt(draft, command);
    case "prompt.cancel":
      return cancelPrompt(draft, command);
    case "prompt.resolve":
      return resolvePrompt(draft, command);
    case "turn.cancel":
      return cancelTurn(draft);
    case "permission.answer":
      return answerPermission(draft, command);
    case "session.pause":
      return pause(draft, command);
    case "session.resume":
      return resume(draft, command);
    case "session.change":
      return change(draft, command);
    case "change.keep":
      return keep(draft, command);
    case "session.end":
      return end(draft, command);
    case "session.rest":
      return rest(draft);
    case "execution.begin":
      return begin(draft, command);
    case "agentctl.report":
      return reportAgentctl(draft, command);
    case "execution.reattach":
      return reattach(draft, command);
    case "execution.report":
      return report(draft, command);
    case "execution.fail":
      return fail(draft, command);
    case "execution.lose":
      return lose(draft, command);
    case "delivery.fail":
      return failDelivery(draft, command);
    case "history.inject":
      return recordInjection(draft, command);
    case "delivery.prepare":
      return recordPrepared(draft, command);
    case "workspace.share":
      return share(draft, command);
    case "checkpoint.secure":
      return secure(draft);
    case "checkpoint.report":
      return captureTold(draft, command);
    case "checkpoint.skip":
      return skip(draft, command);
    case "session.rewind":
      return rewind(draft, command);
    case "rewind.done":
      return finishRewind(draft, command);
    case "rewind.fail":
      return failRewind(draft, command);
    case "session.handoff":
      return handOff(draft, command);
    case "session.delete":
      return remove(draft);
    case "session.undelete":
      return undelete(draft);
    default:
      return unreachable(command);
  }
};

/** What would have an agent work, or changes what it goes on from. Anything else is decided as for a session outside the trash. */
const refusedInTrash: ReadonlySet<CommandType> = new Set([
  "prompt.queue",
  "prompt.resolve",
  "session.resume",
  "session.change",
  "session.rewind",
  "session.handoff",
]);

/** Which state it is in goes with the refusal. */
const whyNotNow = ({ type }: Command): string => {
  if (type === "turn.cancel")
    return "No turn is in progress that could be cancelled.";
  if (type === "session.pause") return "Nothing runs that could be paused.";
  if (type === "session.rewind" || type === "session.handoff")
    return "Wait until the agent is done, or pause the session first.";
  if (type === "session.delete")
    return "Cancel the turn or pause the session first.";
  return `${type} is not possible now.`;
};
