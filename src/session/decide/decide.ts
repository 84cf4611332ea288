import { unreachable } from "../../kit/unreachable.ts";
import type { Command } from "../command.ts";
import type { State } from "../state.ts";
import { table } from "../table.ts";
import type { Decision } from "./decision.ts";
import { Draft } from "./draft.ts";
import { begin, fail, lose, reattach } from "./execution.ts";
import { end, pause, rest, resume } from "./lifecycle.ts";
import { answerPermission } from "./permissions.ts";
import {
  admitPrompt,
  cancelPrompt,
  recordInjection,
  resolvePrompt,
} from "./prompts.ts";
import { report } from "./report.ts";
import { cancelTurn } from "./turn.ts";

/** What a command does to a session: events or a refusal. Pure: state, command and time come in as arguments. */
export const decide = (
  state: State,
  command: Command,
  at: string,
): Decision => {
  const verdict = table[state.lifecycle.name][command.type];
  const draft = new Draft(
    state,
    { session_id: state.id, task_id: state.task_id },
    at,
  );
  switch (verdict) {
    case "accept":
      return accept(draft, command);
    case "ignore":
      return draft.done();
    case "wrong_state":
      return draft.refuse("wrong_state", explain(state, command));
    case "session_ended":
      return draft.refuse(
        "session_ended",
        "The session has ended. Start a new one; its conversation can still be read.",
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
    case "session.end":
      return end(draft, command);
    case "session.rest":
      return rest(draft, command);
    case "execution.begin":
      return begin(draft, command);
    case "execution.reattach":
      return reattach(draft, command);
    case "execution.report":
      return report(draft, command);
    case "execution.fail":
      return fail(draft, command);
    case "execution.lose":
      return lose(draft, command);
    case "history.inject":
      return recordInjection(draft, command);
    default:
      return unreachable(command);
  }
};

const explain = (state: State, command: Command): string => {
  const is = `The session is ${state.lifecycle.name}`;
  if (command.type === "turn.cancel")
    return `${is}: no turn is in progress that could be cancelled.`;
  if (command.type === "session.pause")
    return `${is}: nothing runs that could be paused.`;
  return `${is}: ${command.type} is not possible now.`;
};
