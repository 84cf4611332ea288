import type { Task } from "../../../contract/task/task.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import { duration } from "../../terminal/age.ts";

export const followTaskCommand = (program: string, id: string): string =>
  `${program} task follow ${id}`;

/** What to do with a task as it stands, in one line. */
export const nextStep = (task: Task, program: string, now: Date): string => {
  const { id, state, session_id, attempts } = task;
  const say = (verb: string, more = ""): string =>
    `\`${program} task ${verb} ${id}${more}\``;
  const add = say("update", ' --context "…"');
  const used = task.budget?.reached ?? null;
  switch (state) {
    case "TODO":
      return `Run it with ${say("run")}.`;
    case "IN_PROGRESS":
      if (task.needs_permission)
        return `It waits for your answer to a permission request. ${say("show")} shows the commands that answer it.`;
      return task.retry_at === undefined
        ? `Watch it with \`${followTaskCommand(program, id)}\`.`
        : `It tries again by itself ${whenWords(task.retry_at, now)}; ${say("retry")} does it at once.`;
    case "REVIEW":
      return `${lookAt(session_id, program)}${say("done")} if it is done, or ${
        used === null
          ? `ask for more with ${add}`
          : `raise its budget, which is used up, and ask for more with ${say("update", ` --budget ${used}=N --context "…"`)}`
      }.`;
    case "FAILED":
      if (used !== null)
        return `Its budget is used up: raise it with ${say("update", ` --budget ${used}=N`)}, and go on.`;
      return attempts === 0
        ? `Make a first attempt of its own with ${say("run")}.`
        : `Go on with ${say("retry")}, start over with ${say("retry", " --fresh")}, or add what was missing with ${add}.`;
    case "DONE":
    case "CANCELLED":
      return session_id === null
        ? "It is closed: nothing is left to do."
        : `${closingWords(task, say("retry"))} \`${program} session messages ${session_id}\` shows what was said.`;
    default:
      return unreachable(state);
  }
};

/** A task whose session somebody ended is open (TSK-33). */
const closingWords = ({ closed_at, attempts }: Task, retry: string): string =>
  closed_at === undefined && attempts > 0
    ? `Its session was ended; ${retry} takes the task on again.`
    : "It is closed: nothing is left to do.";

const lookAt = (session: string | null, program: string): string =>
  session === null
    ? ""
    : `Look at it with \`${program} session diff ${session} 0 now\`; then `;

const whenWords = (at: string, now: Date): string => {
  const ms = Date.parse(at) - now.getTime();
  return ms <= 0 ? "now" : `in ${duration(ms)}`;
};
