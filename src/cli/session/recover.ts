import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { undecided } from "../text/cut-off.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

export const recover = command({
  name: "session recover",
  summary: "Unstick a session",
  about:
    "Compares what is recorded with what really runs, and repairs the difference.",
  args: [sessionArgument],
  options: {},
  examples: ["reprise session recover ses_01jm"],
  async run({ args }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const session = await client.recoverSession(id);
    answer(
      world,
      session,
      () =>
        `${id} is ${session.state}; its agent is ${session.is_agent_running ? "running" : "not running"}.\n${undecided(id, session.unresolved_prompts, world.program)}`,
    );
    return 0;
  },
});
