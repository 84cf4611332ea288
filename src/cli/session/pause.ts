import { command } from "../command.ts";
import { answer } from "../print.ts";
import { sessionArgument, targetOf } from "./target.ts";

export const pause = command({
  name: "session pause",
  summary: "Stop the agent, keep the session",
  about: "A prompt or a resume brings it back.",
  args: [sessionArgument],
  options: {},
  examples: ["reprise session pause ses_01jm"],
  async run({ args }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const session = await client.pauseSession(id);
    answer(
      world,
      session,
      () =>
        `${id} is ${session.state}. Bring it back with \`reprise session resume ${id}\`.`,
    );
    return 0;
  },
});
