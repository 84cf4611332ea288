/** What Home and the first run need of the page. */
import type { Client } from "../../../src/client/client.ts";
import type { Agents } from "../store/agents.ts";
import type { Attention } from "../store/attention.ts";
import type { Readable } from "../store/readable.ts";
import type { Seen } from "../store/seen.ts";
import type { Sessions } from "../store/sessions.ts";

export interface HomeDeps {
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
