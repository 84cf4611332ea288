import type { Task } from "../../contract/task/task.ts";
import { followTaskExits } from "../follow/follow-task.ts";
import { command } from "../parsing/command.ts";
import { UsageError } from "../parsing/usage-error.ts";
import { callerEnv } from "../../local/caller-env.ts";
import { beginAttempt, followOption } from "./begin-attempt.ts";
import { taskArgument, taskTarget } from "./target.ts";
import { contextOption, contextsOf, refuseInputTwice } from "./texts.ts";

export const update = command({
  name: "task update",
  summary: "Add to what is asked for",
  about:
    "The agent is told what is new, in the same conversation: at once while an attempt is under way, else with a new attempt. Before the first attempt it is only recorded.",
  args: [taskArgument],
  options: { context: contextOption, follow: followOption },
  examples: [
    'reprise task update tsk_01jm --context "Keep the old names working." --follow',
    "reprise task update parser --context review.md --context - < notes.txt",
  ],
  exits: followTaskExits,
  async run({ args, options: { context, follow } }, world) {
    if (context.length === 0)
      throw new UsageError(
        "--context is missing: say what is new. See `reprise task update --help`.",
      );
    refuseInputTwice(context);
    const contexts = await contextsOf(world, context);
    const { client, id } = await taskTarget(world, args.ID);
    const env = await callerEnv(world);
    return beginAttempt(world, client, id, {
      ask: () => client.addContext(id, { contexts, ...env }),
      follow,
      words: whatBecameOfIt,
    });
  },
});

const whatBecameOfIt = ({ attempts, context_version }: Task): string =>
  attempts === 0
    ? `version ${context_version} is recorded, and told when the task runs.`
    : `version ${context_version} is queued for the agent.`;
