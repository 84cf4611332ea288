import type { CreateTaskInput } from "../../contract/api/task-request.ts";
import {
  followTask,
  followTaskExits,
  fromTheBeginning,
} from "../follow/follow-task.ts";
import { command } from "../parsing/command.ts";
import { UsageError } from "../parsing/usage-error.ts";
import { callerEnv } from "../../local/caller-env.ts";
import {
  definitionOf,
  definitionOptions,
} from "../session/shared/definition.ts";
import { profileOption, whoIn } from "../session/shared/profile.ts";
import { budgetIn, budgetOption } from "../session/shared/budget.ts";
import { onQuotaIn, onQuotaOption } from "../session/shared/on-quota.ts";
import { placeIn, placeOptions, workspaceIn } from "../session/shared/place.ts";
import { answer } from "../terminal/print.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { agentOption, followOption, told } from "./begin-attempt.ts";
import { minutesIn } from "./minutes.ts";
import {
  contextOption,
  contextsOf,
  descriptionOf,
  refuseInputTwice,
} from "./texts.ts";

export const create = command({
  name: "task create",
  summary: "Create a task: work that is continued instead of started over",
  about:
    "An agent is told the description once. Later attempts go on from what was done, and whatever is added is told as new.",
  args: [{ name: "TITLE", help: "what it is about, in a few words" }],
  options: {
    description: {
      kind: "text",
      value: "TEXT|@FILE|-",
      required: true,
      help: "what is to be done; - reads it from standard input",
    },
    name: {
      kind: "text",
      value: "N",
      help: "a name to know it by, which no other task has",
    },
    agent: { ...agentOption, help: `${agentOption.help}; demo unless given` },
    profile: profileOption,
    cwd: {
      kind: "text",
      value: "DIR",
      help: "the directory to work in; default this one, on a host one of its own",
    },
    worktree: {
      kind: "text",
      value: "REPO",
      help: "work in a git worktree of this repository, on a branch of its own",
    },
    ...placeOptions,
    timeout: {
      kind: "text",
      value: "TIME",
      help: "how long one attempt may work: 90s, 45m, 2h, or a number of minutes; time in which it waits for you does not count",
    },
    retries: {
      kind: "number",
      value: "N",
      help: "try again by itself so many times at most; 0 unless given",
    },
    budget: {
      ...budgetOption,
      help: "what all attempts may spend together, such as turns=20,minutes=60,tokens=200000,cost=5: any of them",
    },
    "on-quota": onQuotaOption,
    context: contextOption,
    ...definitionOptions,
    run: { kind: "flag", help: "make the first attempt at once" },
    follow: followOption,
  },
  examples: [
    'reprise task create "Fix the login" --description "Users are logged out after a minute."',
    'reprise task create "Port the parser" --description @plan.md --worktree ~/project --name parser --run --follow',
    'reprise task create "Count" --description "count 5 200" --timeout 30m --retries 3 --run',
    'reprise task create "Count" --description "count 5 200" --on-quota handoff:demo-inject --run',
    'reprise task create "Test it" --description "run make test" --host build-box --cwd /srv/project --run',
    'reprise task create "Tidy up" --description "Remove dead code." --permissions allow-read --timeout 45m',
  ],
  exits: followTaskExits,
  async run({ args, options }, world) {
    if (options.follow && !options.run)
      throw new UsageError(
        "There is nothing to watch before the task runs: give --run too.",
      );
    refuseInputTwice([options.description, ...options.context]);
    const body = {
      ...(await workspaceIn(world, options)),
      ...placeIn(options),
      ...chosen(options),
      ...(await definitionOf(world, options)),
      title: args.TITLE,
      description: await descriptionOf(world, options.description),
      context: await contextsOf(world, options.context),
    };
    const client = await world.client();
    const task = await client.createTask({
      ...body,
      ...(await callerEnv(world)),
    });
    if (!options.follow) {
      answer(world, task, () =>
        told(task, options.run ? "created, and runs." : "created.", world),
      );
      return 0;
    }
    if (!world.json)
      world.out.write(`${task.id} created: ${oneLine(task.title)}\n`);
    return followTask(world, client, fromTheBeginning(task));
  },
});

const chosen = (options: {
  name: string | undefined;
  agent: string | undefined;
  profile: string | undefined;
  timeout: string | undefined;
  retries: number | undefined;
  budget: string | undefined;
  "on-quota": string | undefined;
  run: boolean;
}): Omit<CreateTaskInput, "title"> => ({
  ...(options.name === undefined ? {} : { name: options.name }),
  ...whoIn(options),
  ...(options.timeout === undefined
    ? {}
    : { timeout_minutes: minutesIn("--timeout", options.timeout) }),
  ...(options.retries === undefined
    ? {}
    : { retry: { limit: options.retries } }),
  ...(options.budget === undefined ? {} : { budget: budgetIn(options.budget) }),
  ...(options["on-quota"] === undefined
    ? {}
    : { on_quota: onQuotaIn(options["on-quota"]) }),
  run: options.run,
});
