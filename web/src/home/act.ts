/** What Home and the first run need of the page. */
import type { Client } from "../../../src/client/client.ts";
import type { Session } from "../../../src/contract/session/session.ts";
import type { Agents } from "../store/agents.ts";
import type { Attention } from "../store/attention.ts";
import type { Readable } from "../store/readable.ts";
import type { Seen } from "../store/seen.ts";
import type { Sessions } from "../store/sessions.ts";

export interface HomeServices {
  client: Pick<
    Client,
    | "answerPermission"
    | "resolvePrompt"
    | "resumeSession"
    | "showSession"
    | "createSession"
    | "queuePrompt"
  >;
  sessions: Sessions;
  agents: Agents;
  attention: Readable<readonly Attention[]>;
  seen: Seen;
}

/** Does something with a session, and shows it as it is then. */
export const act = async (
  { client, sessions }: HomeServices,
  { id }: Session,
  action: () => Promise<unknown>,
): Promise<void> => {
  try {
    await action();
  } finally {
    // Also a refusal means that it is not as it is shown: somebody else may have answered.
    const session = await client.showSession(id).catch(() => null);
    if (session !== null) sessions.put(session);
  }
};
