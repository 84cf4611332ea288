import type { Client } from "../../client/client.ts";
import { type Budget, budgetWords } from "../../contract/base/budget.ts";
import type { TaskId } from "../../contract/base/id.ts";
import type { Task } from "../../contract/task/task.ts";
import { followTaskExits } from "../follow/follow-task.ts";
import { command } from "../parsing/command.ts";
import { UsageError } from "../parsing/usage-error.ts";
import { callerEnv } from "../../local/caller-env.ts";
import { newBudgetIn, newBudgetOption } from "../session/shared/budget.ts";
import { beginAttempt, followOption } from "./begin-attempt.ts";
import { taskArgument, taskTarget } from "./target.ts";
import { contextOption, contextsOf, refuseInputTwice } from "./texts.ts";

export const update = command({
  name: "task update",
  summary: "Add to what a task asks for, or change its budget",
  about:
    "With --context the agent is told what is new, in the same conversation: at once while an attempt is under way, else with a new attempt. Before the first attempt it is only recorded. With --budget an attempt that stopped at the budget goes on.",
  args: [taskArgument],
  options: {
    context: contextOption,
    budget: {
      ...newBudgetOption,
      help: `${newBudgetOption.help}. It is for all attempts together`,
    },
    follow: followOption,
  },
  examples: [
    'reprise task update tsk_01jm --context "Keep the old names working." --follow',
    "reprise task update parser --budget turns=40,minutes=120 --follow",
    "reprise task update parser --context review.md --context - < notes.txt",
  ],
  exits: followTaskExits,
  async run({ args, options: { context, budget, follow } }, world) {
    const parts = newBudgetIn(budget);
    if (context.length === 0 && parts === undefined)
      throw new UsageError(
        "--context and --budget are missing: say what is new. See `reprise task update --help`.",
      );
    refuseInputTwice(context);
    const contexts = await contextsOf(world, context);
    const { client, id } = await taskTarget(world, args.ID);
    const env = await callerEnv(world);
    return beginAttempt(world, client, id, {
      ask: async () => {
        const changed =
          parts === undefined
            ? null
            : await client.changeTask(id, {
                budget: await wholeBudget(client, id, parts),
                ...env,
              });
        return changed !== null && contexts.length === 0
          ? changed
          : client.addContext(id, { contexts, ...env });
      },
      follow,
      words: (task) =>
        [
          ...(parts === undefined ? [] : [budgetOutcome(task)]),
          ...(contexts.length === 0 ? [] : [whatBecameOfIt(task)]),
        ].join(" "),
    });
  },
});

/** Parts that are not named stay as they are. */
const wholeBudget = async (
  client: Client,
  id: TaskId,
  parts: Budget | null,
): Promise<Budget | null> =>
  parts && { ...(await client.showTask(id)).budget?.limits, ...parts };

const budgetOutcome = ({ budget, state }: Task): string => {
  if (budget == null) return "no budget.";
  const spent = `spent ${budgetWords(budget.limits, budget.spent)}`;
  if (budget.reached !== null)
    return `${spent}, so its budget of ${budget.reached} is used up.`;
  return state === "IN_PROGRESS" ? `${spent}; it goes on.` : `${spent}.`;
};

const whatBecameOfIt = ({ attempts, context_version }: Task): string =>
  attempts === 0
    ? `version ${context_version} is recorded, and told when the task runs.`
    : `version ${context_version} is queued for the agent.`;
