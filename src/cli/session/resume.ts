import type { Client } from "../../client/client.ts";
import type { SessionId } from "../../contract/base/id.ts";
import type { ResumeInput } from "../../contract/api/request.ts";
import type { Session } from "../../contract/session/session.ts";
import { callerEnv } from "../../local/caller-env.ts";
import { command } from "../parsing/command.ts";
import type { ExitCode } from "../parsing/exit-code.ts";
import { cursorOf } from "../follow/cursor.ts";
import { follow, followExits } from "../follow/follow.ts";
import { isSettled, progressOf } from "../follow/progress.ts";
import { answer } from "../terminal/print.ts";
import { undecided } from "../text/cut-off.ts";
import { resumeWords } from "../text/resume.ts";
import { spinning } from "../terminal/spinner.ts";
import type { World } from "../terminal/world.ts";
import { changeOf, changeOptions } from "./shared/definition.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

export const resumeSession = command({
  name: "session resume",
  summary: "Bring the agent of a session back",
  about:
    "Says how its memory came back, and which prompts wait for a decision. Nothing is done when the agent runs already, so with --follow it is also the way to watch a session. What the agent is asked for can be changed on the way, as long as it does not run.",
  args: [sessionArgument],
  options: {
    ...changeOptions,
    now: {
      kind: "flag",
      help: "have what waits for a quota of the agent tried at once",
    },
    follow: {
      kind: "flag",
      help: "then watch until nothing is left to wait for",
    },
  },
  examples: [
    "reprise session resume ses_01jm",
    "reprise session resume ses_01jm --follow",
    "reprise session resume ses_01jm --mode read-only",
    "reprise session resume ses_01jm --now",
  ],
  exits: followExits,
  async run({ args, options }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const changes = await changeOf(world, options);
    return resumeAndShow(world, client, id, options, {
      ...changes,
      ...(options.now && { now: true }),
    });
  },
});

export const resumeAndShow = async (
  world: World,
  client: Client,
  id: SessionId,
  options: { follow: boolean },
  changes: ResumeInput = {},
): Promise<ExitCode> => {
  const before = await client.showSession(id);
  const session = await spinning(
    world.err,
    "bringing the agent back",
    client.resumeSession(id, { ...changes, ...(await callerEnv(world)) }),
  );
  const toDecide = (prompts: Session["unresolved_prompts"]): string =>
    undecided(id, prompts, world.program);
  if (options.follow) {
    const after = await cursorOf(client, before);
    const progress = progressOf(before);
    // What is cut off from here on is told as it happens.
    if (!world.json) world.out.write(toDecide(before.unresolved_prompts));
    // Silence would look like a command that did not work.
    if (session.last_seq <= after && isSettled(progress) && !world.json)
      world.out.write(
        `${outcome(before, session)} Nothing is left to watch.\n`,
      );
    return follow(world, client, {
      session: id,
      after,
      progress,
      until: session.last_seq,
    });
  }
  answer(
    world,
    session,
    () =>
      `${outcome(before, session)}\n${toDecide(session.unresolved_prompts)}`,
  );
  return 0;
};

/** `resume` of a session is its last one: where the agent ran already, that was not this one. */
const outcome = (before: Session, { id, state, resume }: Session): string => {
  if (before.is_agent_running)
    return `${id} is ${state}; its agent runs already.`;
  return resume === null
    ? `${id} is ${state}.`
    : `${id} is ${state}.\n${resumeWords(resume)}`;
};
