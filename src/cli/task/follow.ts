import {
  exitOf,
  followTask,
  followTaskExits,
  fromTheBeginning,
  isResting,
  taskSnapshot,
} from "../follow/follow-task.ts";
import { command } from "../parsing/command.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { nextStep } from "../text/task/next-step.ts";
import { taskArgument, taskTarget } from "./target.ts";

export const follow = command({
  name: "task follow",
  summary: "Watch a task until it needs you",
  about:
    "Shows the turn in progress and every attempt after it, retries included, and ends when nothing more happens by itself. With --json it prints the task's events from the first one on, one per line.",
  args: [taskArgument],
  options: {},
  examples: [
    "reprise task follow tsk_01jm",
    "reprise task follow parser --json",
  ],
  exits: followTaskExits,
  async run({ args }, world) {
    const { client, id } = await taskTarget(world, args.ID);
    if (world.json)
      return followTask(
        world,
        client,
        fromTheBeginning(await client.showTask(id)),
      );
    const snapshot = await taskSnapshot(client, id);
    const { title, state, needs_permission } = snapshot.task;
    world.out.write(`${id} is ${state}: ${oneLine(title)}\n`);
    // A turn that is shown tells itself what it waits for.
    const isAskedElsewhere = needs_permission && snapshot.turns.length === 0;
    if (state === "TODO" || isResting(state) || isAskedElsewhere)
      world.out.write(
        `${nextStep(snapshot.task, world.program, world.now())}\n`,
      );
    return isResting(state)
      ? exitOf(state)
      : followTask(world, client, snapshot);
  },
});
