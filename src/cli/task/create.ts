import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";

export const create = command({
  name: "task create",
  summary: "Create a task that sessions can belong to",
  args: [{ name: "TITLE", help: "what it is about, in a few words" }],
  options: {
    description: {
      kind: "text",
      value: "TEXT",
      required: true,
      help: "what is to be done",
    },
  },
  examples: [
    'reprise task create "Fix the login" --description "Users are logged out after a minute."',
  ],
  async run({ args, options }, world) {
    const client = await world.client();
    const task = await client.createTask({
      title: args.TITLE,
      description: options.description,
    });
    answer(
      world,
      task,
      () =>
        `${task.id} created.\nStart a session for it with \`${world.program} session start --task ${task.id} "…"\`.`,
    );
    return 0;
  },
});
