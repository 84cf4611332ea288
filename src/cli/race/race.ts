import { promptText } from "../server/prompt-text.ts";
import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { CTRL_C, type World } from "../terminal/world.ts";
import { comparison } from "./comparison.ts";
import { placeOptions } from "../session/shared/place.ts";
import { keep, numberIn } from "./keep.ts";
import { type RaceOrder, plan } from "./plan.ts";
import { outcomes } from "./outcome.ts";
import { startRuns } from "./start-runs.ts";

export const race = command({
  name: "race",
  summary: "Give one prompt to several agents at once and keep the best",
  about:
    "Each run gets a git worktree and a branch of its own, from the commit that is checked out, or a fork of --session. The runs are compared by how they ended, what they changed, how long they took and what --check came to. The same command with the same --name takes a race up again, whatever was killed meanwhile.",
  args: [
    {
      name: "PROMPT",
      help: "what each agent is to do; - reads it from standard input",
    },
  ],
  options: {
    agents: {
      kind: "text",
      value: "A,B",
      help: "the agents, or profiles of config.json; default demo, or that of --session",
    },
    n: { kind: "number", value: "N", max: 20, help: "runs of each; default 1" },
    check: {
      kind: "text",
      value: "CMD",
      help: "run in each workspace afterwards by `sh -c CMD`, as make and npm do; it passes when it ends with 0",
    },
    cwd: {
      kind: "text",
      value: "DIR",
      help: "the repository whose worktrees they get; default this directory",
    },
    ...placeOptions,
    executor: {
      ...placeOptions.executor,
      help: "standalone: runs of profiles that name another place run on the server's machine too; worktrees can be made nowhere else",
    },
    session: {
      kind: "text",
      value: "ID",
      help: "fork this session for each run instead",
    },
    name: {
      kind: "text",
      value: "NAME",
      help: "what the race is called, to take it up again",
    },
    permissions: {
      kind: "text",
      value: "P",
      choices: ["ask", "allow-read", "allow-all"],
      help: "what is allowed without asking; not with --session",
    },
    keep: {
      kind: "number",
      value: "N",
      max: 20,
      help: "keep this run and put the others into the trash",
    },
  },
  examples: [
    'reprise race "write NOTES.md hello" --agents demo,demo-inject --check "test -f NOTES.md"',
    'reprise race "count 5 200" --n 3 --name counting',
    'reprise race "recall colour" --session ses_01jm --n 2 --keep 1',
  ],
  exits: {
    1: "failed, or no run completed and passed its check",
    130: "left with Ctrl-C; the sessions go on, and all are kept",
  },
  async run({ args, options }, world) {
    const client = await world.client();
    const order = await plan(world, client, {
      ...options,
      prompt: await promptText(world, args.PROMPT),
    });
    if (options.keep !== undefined) numberIn(order, options.keep);
    const runs = await startRuns(world, client, order);
    tellName(world, order, options.name);
    const found = await outcomes(world, client, runs, options.check);
    if (found === "left") {
      world.err.write(`\n${comeBack(order)}\n`);
      return 130;
    }
    if (!world.json) world.out.write(comparison(found, world.out));
    const kept = await keep(world, client, order, found, options.keep);
    if (kept === CTRL_C) {
      world.err.write(`\n${keepLater(order)}\n`);
      return 130;
    }
    answer(world, { name: order.name, kept, runs: found }, () => "");
    return found.some(({ passed }) => passed) ? 0 : 1;
  },
});

const tellName = (
  world: World,
  order: RaceOrder,
  given: string | undefined,
): void => {
  if (given === undefined && !world.json)
    world.err.write(
      `${world.err.palette.dim(`The race is called ${order.name}; \`--name ${order.name}\` takes it up again.`)}\n`,
    );
};

const keepLater = ({ name }: RaceOrder): string =>
  `All runs are still there. Keep one with the same command, \`--name ${name}\` and \`--keep N\`.`;

const comeBack = ({ name }: RaceOrder): string =>
  `The sessions go on. Take the race up again with the same command and \`--name ${name}\`.`;
