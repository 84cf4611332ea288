import { followTaskExits } from "../follow/follow-task.ts";
import { command } from "../parsing/command.ts";
import { callerEnv } from "../../local/caller-env.ts";
import { profileOption, whoIn } from "../session/shared/profile.ts";
import { agentOption, beginAttempt, followOption } from "./begin-attempt.ts";
import { taskArgument, taskTarget } from "./target.ts";

export const run = command({
  name: "task run",
  summary: "Make the first attempt at a task",
  about:
    "A new session is told the title, the description and what was added to it.",
  args: [taskArgument],
  options: {
    agent: {
      ...agentOption,
      help: `${agentOption.help}; the task's own unless given`,
    },
    profile: profileOption,
    follow: followOption,
  },
  examples: [
    "reprise task run tsk_01jm --follow",
    "reprise task run parser --agent demo-inject",
  ],
  exits: followTaskExits,
  async run({ args, options: { agent, profile, follow } }, world) {
    const { client, id } = await taskTarget(world, args.ID);
    const env = await callerEnv(world);
    return beginAttempt(world, client, id, {
      ask: () =>
        client.runTask(id, {
          ...whoIn({ agent, profile }),
          ...env,
        }),
      follow,
      words: () => "the first attempt begins.",
    });
  },
});
