/** What happens to a task, a line for each change that a person wants to know of. */
import { ofLaterRelease } from "../../../client/client.ts";
import { type Budget, limitWords } from "../../../contract/base/budget.ts";
import type { AttemptId } from "../../../contract/base/id.ts";
import type { AttemptMode } from "../../../contract/task/task.ts";
import type {
  TaskEvent,
  TaskEventDataOf,
} from "../../../contract/task/task-event.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import { count, duration } from "../../terminal/age.ts";
import type { Palette } from "../../terminal/palette.ts";
import { oneLine } from "../../terminal/sanitize.ts";
import { outcomeColour, taskColour } from "./task-colour.ts";

export interface KnownSoFar {
  numbers: ReadonlyMap<AttemptId, number>;
  budget: Budget | null;
}

/** Empty where there is nothing to say. */
export const taskLine = (
  event: TaskEvent,
  { numbers, budget }: KnownSoFar,
  palette: Palette,
): string => {
  const { dim } = palette;
  const attempt = (id: AttemptId): string => `attempt ${numbers.get(id) ?? id}`;
  switch (event.type) {
    case "task.attempt.started":
      return dim(`── ${begins(event.data)}`);
    case "task.attempt.ended": {
      const paint = outcomeColour(event.data.outcome, palette);
      return paint(`── ${attempt(event.data.attempt_id)} ${ends(event.data)}`);
    }
    case "task.attempt.timed_out":
      return dim(
        `── ${attempt(event.data.attempt_id)} has used up its time and is stopped`,
      );
    case "task.attempt.reopened":
      return dim(
        `── ${attempt(event.data.attempt_id)} goes on: the agent has its prompt now`,
      );
    case "task.retry.scheduled":
      return dim(`── ${retryWords(event.at, event.data)}`);
    case "task.retry.called_off":
      return dim("── the retry is called off");
    case "task.context.added":
      return dim(`── ${added(event.data)}`);
    case "task.deleted":
      return dim("── in the trash");
    case "task.undeleted":
      return dim("── out of the trash");
    case "task.described":
      return dim(`── ${described(budget, event.data.budget ?? null)}`);
    case "task.state_changed": {
      const { from, to } = event.data;
      return `${dim(`── ${from} → `)}${taskColour(to, palette)(to)}`;
    }
    // The state that follows from it is told.
    case "task.created":
    case "task.closed":
    case "task.session.changed":
    // The session tells the turn itself.
    case "task.attempt.extended":
    case "task.attempt.resumed":
    case "task.prompt.queued":
    case "task.prompt.over":
    case "task.attempt.clock":
    case "task.attempt.settled":
      return "";
    default:
      return ofLaterRelease(event, "");
  }
};

const described = (before: Budget | null, now: Budget | null): string => {
  if (limitWords(before) === limitWords(now))
    return "the settings of the task are changed";
  return now === null
    ? "the budget is taken away"
    : `the budget is changed: ${limitWords(now)}`;
};

const begins = ({
  number,
  mode,
  agent,
  automatic,
}: TaskEventDataOf<"task.attempt.started">): string =>
  `attempt ${number} begins${automatic ? " by itself" : ""}: ${agent} ${modeWords(mode)}`;

const modeWords = (mode: AttemptMode): string => {
  switch (mode) {
    case "first":
      return "is told the task";
    case "continue":
      return "goes on where it stopped";
    case "fresh":
      return "starts over in a new session";
    case "update":
      return "is told what is new";
    default:
      return unreachable(mode);
  }
};

const ends = ({
  outcome,
  reason,
  files_changed,
  files_left_out,
}: TaskEventDataOf<"task.attempt.ended">): string =>
  [
    outcome,
    ...(files_changed === null
      ? []
      : [`${count(files_changed.length + files_left_out, "file")} changed`]),
    ...(reason === null ? [] : [oneLine(reason.text)]),
  ].join(", ");

const retryWords = (
  now: string,
  { at, mode }: TaskEventDataOf<"task.retry.scheduled">,
): string =>
  `tries again in ${duration(Date.parse(at) - Date.parse(now))}, at ${at.slice(11, 19)} UTC, ${mode === "fresh" ? "in a new session" : "where it stopped"}`;

const added = ({
  version,
  name,
}: TaskEventDataOf<"task.context.added">): string =>
  `version ${version} of what is asked for${name === undefined ? "" : `: ${oneLine(name)}`}`;
