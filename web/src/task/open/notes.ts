/** What a task says about how it stands, besides its state. */
import { usedUpWords } from "../../../../src/contract/base/budget.ts";
import type { Session } from "../../../../src/contract/session/session.ts";
import type { Task } from "../../../../src/contract/task/task.ts";
import { dueTime, dueWords } from "../../words/age.ts";

export interface TaskNote {
  text: string;
  tone: "plain" | "amber" | "red";
}

export const notesOf = (
  task: Task,
  session: Session | null,
  { now, agentName }: { now: number; agentName: (agent: string) => string },
): TaskNote[] => [
  ...(task.damaged === true
    ? [red("What was written of this task is damaged.")]
    : []),
  ...(task.closed_at === undefined
    ? [...usedUp(task), ...quotas(session, now, agentName), ...errors(session)]
    : []),
  ...(task.retry_at === undefined
    ? []
    : [
        {
          text: `It tries again by itself ${dueWords(task.retry_at, now)}.`,
          tone: "plain" as const,
        },
      ]),
];

const usedUp = ({ budget }: Task): TaskNote[] => {
  if (budget === undefined || budget.reached === null) return [];
  const { reached: what, limits, spent } = budget;
  const words = usedUpWords({
    what,
    limit: limits[what] ?? 0,
    spent: spent[what] ?? 0,
  });
  return [amber(`The budget is used up: ${words}. Raise it, then retry.`)];
};

const quotas = (
  session: Session | null,
  now: number,
  agentName: (agent: string) => string,
): TaskNote[] =>
  (session?.quota.used_up ?? [])
    .filter(({ until }) => Date.parse(until) > now)
    .map(({ agent, until }) =>
      amber(
        `The quota of ${agentName(agent)} is used up until ${dueTime(until, now)}.`,
      ),
    );

const errors = (session: Session | null): TaskNote[] =>
  session?.state === "ERROR"
    ? [red(session.error_message ?? "The agent could not be brought back.")]
    : [];

const amber = (text: string): TaskNote => ({ text, tone: "amber" });
const red = (text: string): TaskNote => ({ text, tone: "red" });
