import type { Session } from "../../contract/session/session.ts";
import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { count } from "../terminal/age.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

export const end = command({
  name: "session end",
  summary: "End a session for good",
  about: "Its conversation and files stay; it cannot be resumed.",
  args: [sessionArgument],
  options: {},
  examples: ["reprise session end ses_01jm"],
  async run({ args }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const before = await client.showSession(id);
    const session = await client.endSession(id);
    answer(world, session, () => ended(before, session));
    return 0;
  },
});

const ended = (before: Session, { id, state }: Session): string => {
  const waiting = before.queued_prompts.length;
  return [
    `${id} is ${state}.`,
    ...(before.state === "RUNNING" ? ["Its turn was cut off."] : []),
    ...(waiting === 0
      ? []
      : [`${count(waiting, "prompt")} that waited will not be sent.`]),
  ].join(" ");
};
