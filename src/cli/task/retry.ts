import { followTaskExits } from "../follow/follow-task.ts";
import { command } from "../parsing/command.ts";
import { UsageError } from "../parsing/usage-error.ts";
import { callerEnv } from "../../local/caller-env.ts";
import { profileOption, whoIn } from "../session/shared/profile.ts";
import { agentOption, beginAttempt, followOption } from "./begin-attempt.ts";
import { taskArgument, taskTarget } from "./target.ts";

export const retry = command({
  name: "task retry",
  summary: "Make another attempt at a task",
  about:
    "It goes on in the session of the last attempt where that is possible, and starts over in a new one where it is not. The agent is not told the description again when it goes on.",
  args: [taskArgument],
  options: {
    "continue-session": {
      kind: "flag",
      help: "go on in the session of the last attempt, or fail",
    },
    fresh: {
      kind: "flag",
      help: "start over in a new session, which is told what was tried",
    },
    agent: {
      ...agentOption,
      help: `${agentOption.help}; another one than before starts over`,
    },
    profile: profileOption,
    follow: followOption,
  },
  examples: [
    "reprise task retry tsk_01jm --follow",
    "reprise task retry parser --continue-session",
    "reprise task retry parser --fresh --agent demo-inject",
  ],
  exits: followTaskExits,
  async run({ args, options }, world) {
    const { agent, profile, fresh, follow } = options;
    const goesOn = options["continue-session"];
    if (goesOn && fresh)
      throw new UsageError("Give either --continue-session or --fresh.");
    const mode = fresh ? ("fresh" as const) : ("continue" as const);
    const { client, id } = await taskTarget(world, args.ID);
    const env = await callerEnv(world);
    return beginAttempt(world, client, id, {
      ask: () =>
        client.retryTask(id, {
          ...(goesOn || fresh ? { mode } : {}),
          ...whoIn({ agent, profile }),
          ...env,
        }),
      follow,
      words: ({ attempts }) => `attempt ${attempts} begins.`,
    });
  },
});
