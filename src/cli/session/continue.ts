import type { Client } from "../../client/client.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Session } from "../../contract/session/session.ts";
import { isTerminal, StateName } from "../../contract/session/state.ts";
import { command } from "../parsing/command.ts";
import { followExits } from "../follow/follow.ts";
import { promptText } from "../server/prompt-text.ts";
import { resumeAndShow } from "./resume.ts";
import { sendPrompt } from "./shared/send-prompt.ts";
import { directory } from "./shared/place.ts";

export const continueSession = command({
  name: "session continue",
  summary: "Go on with the most recent session of this directory",
  about:
    "With a prompt it is given that; without one its agent is brought back.",
  args: [
    {
      name: "PROMPT",
      help: "what the agent is to do next; - reads it from standard input",
      optional: true,
    },
  ],
  options: {
    follow: {
      kind: "flag",
      help: "watch until the turn of this prompt has ended, or without one until nothing is left to wait for",
    },
  },
  examples: [
    "reprise session continue",
    'reprise session continue "recall colour" --follow',
  ],
  exits: followExits,
  async run({ args, options }, world) {
    const client = await world.client();
    const session = await mostRecent(client, await directory(world, undefined));
    if (session.task_id !== null && !world.json)
      world.err.write(
        `(${session.id} is a session of the task ${session.task_id}; what you say there is no attempt. \`${world.program} task show ${session.task_id}\` shows the task.)\n`,
      );
    if (args.PROMPT === undefined)
      return resumeAndShow(world, client, session.id, options);
    const text = await promptText(world, args.PROMPT);
    return sendPrompt(world, client, session.id, { text, ...options });
  },
});

/** The one that somebody last asked something of: what Reprise did by itself since makes no other the most recent. */
const mostRecent = async (client: Client, cwd: string): Promise<Session> => {
  const { sessions } = await client.listSessions({
    cwd,
    order: "wish",
    state: StateName.options.filter((name) => !isTerminal(name)).join(","),
    limit: 1,
  });
  const [session] = sessions;
  if (session !== undefined) return session;
  throw new RepriseError(
    "session_not_found",
    `No session of ${cwd} can go on. Start one with \`reprise session start\`.`,
  );
};
