import type { Session } from "../../contract/session/session.ts";
import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { cutOff } from "../text/cut-off.ts";
import { resumeCommand } from "../text/next-command.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

export const pause = command({
  name: "session pause",
  summary: "Stop the agent, keep the session",
  about:
    "A turn in progress is interrupted, and a question that waits is closed. A prompt or a resume brings the agent back.",
  args: [sessionArgument],
  options: {},
  examples: ["reprise session pause ses_01jm"],
  async run({ args }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const before = await client.showSession(id);
    const session = await client.pauseSession(id);
    answer(
      world,
      session,
      () =>
        `${stateWords(before, session)}\n${cutOff(before, session, world.program)}Bring it back with \`${resumeCommand(world.program, id)}\`.`,
    );
    return 0;
  },
});

const stateWords = (before: Session, { id, state }: Session): string =>
  before.state === state ? `${id} is ${state} already.` : `${id} is ${state}.`;
