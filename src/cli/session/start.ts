import type { Client } from "../../client/client.ts";
import type { CreateSessionInput } from "../../contract/api/request.ts";
import { attachmentsOf, attachOption } from "../server/attach.ts";
import { callerEnv } from "../../local/caller-env.ts";
import { command } from "../parsing/command.ts";
import { findTask } from "../server/find.ts";
import { follow, followExits } from "../follow/follow.ts";
import { nothingYet } from "../follow/progress.ts";
import { answer } from "../terminal/print.ts";
import { promptText } from "../server/prompt-text.ts";
import { heading, started } from "../text/started.ts";
import { UsageError } from "../parsing/usage-error.ts";
import type { World } from "../terminal/world.ts";
import { onInterruptOption } from "./shared/on-interrupt.ts";
import { onQuotaIn, onQuotaOption } from "./shared/on-quota.ts";
import { budgetIn, budgetOption } from "./shared/budget.ts";
import { definitionOf, definitionOptions } from "./shared/definition.ts";
import { placeIn, placeOptions, workspaceIn } from "./shared/place.ts";
import { profileOption, whoIn } from "./shared/profile.ts";
import { sandboxIn, sandboxOptions } from "./shared/sandbox.ts";
import { asPrompt } from "./shared/send-prompt.ts";

export const start = command({
  name: "session start",
  summary: "Start a session",
  about: "The agent works in the given directory and goes on when you leave.",
  args: [
    {
      name: "PROMPT",
      help: "what the agent is to do first; - reads it from standard input",
      optional: true,
    },
  ],
  options: {
    agent: {
      kind: "text",
      value: "A",
      help: "the agent; `reprise agents` lists them; default demo",
    },
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
    task: { kind: "text", value: "ID", help: "the task it belongs to" },
    name: { kind: "text", value: "N", help: "a name to know it by" },
    ...definitionOptions,
    ...sandboxOptions,
    budget: budgetOption,
    "on-interrupt": onInterruptOption,
    "on-quota": onQuotaOption,
    attach: attachOption,
    "no-checkpoints": {
      kind: "flag",
      help: "do not capture the workspace after every turn",
    },
    follow: {
      kind: "flag",
      help: "watch until the turn of this prompt has ended",
    },
  },
  examples: [
    'reprise session start "remember colour=blue" --follow',
    'reprise session start --agent demo-inject --cwd ~/project "count 5 200"',
    'reprise session start --profile review "look at the last commit"',
    'reprise session start --worktree ~/project "write NOTES.md hello"',
    'reprise session start --host build-box --cwd /srv/project "run the tests"',
    "git diff | reprise session start - --name review",
    'reprise session start --agent demo --on-quota handoff:demo-inject "count 5 200"',
    'reprise session start --sandbox --network off "count 5 200"',
    'reprise session start --on-interrupt continue "count 5 200"',
    'reprise session start --permissions allow-read --deny "Bash(rm *)" "tidy up"',
  ],
  exits: followExits,
  async run({ args, options }, world) {
    const client = await world.client();
    const session = await client.createSession({
      ...(await workspaceIn(world, options)),
      ...(await chosen(world, client, options)),
      ...(await definitionOf(world, options)),
      ...sandboxIn(options),
      ...(options.budget === undefined
        ? {}
        : { budget: budgetIn(options.budget) }),
      ...(await firstPrompt(world, args.PROMPT, options.attach)),
      ...(await callerEnv(world)),
    });
    if (!options.follow) {
      answer(world, session, () => started(session, "started", world));
      return 0;
    }
    if (!world.json) world.out.write(heading(session, "started"));
    return follow(world, client, {
      session: session.id,
      after: 0,
      progress: {
        ...nothingYet,
        awaited: args.PROMPT === undefined ? null : "first",
      },
      until: session.last_seq,
    });
  },
});

const chosen = async (
  world: World,
  client: Client,
  options: {
    agent: string | undefined;
    profile: string | undefined;
    executor: string | undefined;
    host: string | undefined;
    image: string | undefined;
    task: string | undefined;
    name: string | undefined;
    "on-interrupt": "wait" | "continue" | undefined;
    "on-quota": string | undefined;
    "no-checkpoints": boolean;
  },
): Promise<CreateSessionInput> => ({
  ...whoIn(options),
  ...placeIn(options),
  ...(options.task === undefined
    ? {}
    : { task_id: await findTask(client, options.task) }),
  ...(options.name === undefined ? {} : { name: options.name }),
  ...(options["on-interrupt"] === undefined
    ? {}
    : { on_interrupt: options["on-interrupt"] }),
  ...(options["on-quota"] === undefined
    ? {}
    : { on_quota: onQuotaIn(options["on-quota"]) }),
  ...(options["no-checkpoints"] ? { checkpoints: false } : {}),
});

const firstPrompt = async (
  world: World,
  prompt: string | undefined,
  files: readonly string[],
): Promise<Pick<CreateSessionInput, "prompt" | "content">> => {
  if (prompt !== undefined) {
    const { text, content } = asPrompt(
      await promptText(world, prompt),
      await attachmentsOf(world, files),
    );
    return content === undefined ? { prompt: text } : { content };
  }
  if (files.length === 0) return {};
  throw new UsageError("Say in a prompt what is to be done with the files.");
};
