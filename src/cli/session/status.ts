import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { checkpointWords } from "../text/files/checkpoint.ts";
import { statusText } from "../text/status.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

export const status = command({
  name: "session status",
  summary: "Say whether a session can be resumed, must be, and why",
  about: "Names what does not fit between what is recorded and what runs.",
  args: [sessionArgument],
  options: {},
  examples: [
    "reprise session status ses_01jm",
    "reprise session status ses_01jm --json | jq .needs_resume",
  ],
  async run({ args }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const found = await client.sessionStatus(id);
    const { checkpoints } = world.json
      ? { checkpoints: [] }
      : await client.listCheckpoints(id);
    answer(world, found, () =>
      statusText(
        found,
        checkpointWords(checkpoints, world.now()),
        world.out.palette,
        world.program,
        world.now(),
      ),
    );
    return 0;
  },
});
