/** What the screens of a session need of the page. */
import type { Client } from "../../../src/client/client.ts";
import type { ShellLink } from "../../../src/client/live/shell-connection.ts";
import type { ShellsDeps } from "../terminal/shells-store.ts";
import type { KeepsAttachments } from "../dock/late-kept.ts";
import type { Drafts } from "../store/drafts.ts";
import type { SessionDoor } from "../store/session/session-door.ts";
import type { WorkspaceClient } from "../workspace/workspace-client.ts";

export interface SessionDeps {
  client: Pick<
    Client,
    | "changeSession"
    | "exportSession"
    | "listAgents"
    | "searchFiles"
    | "showDiff"
    | "showSession"
  > &
    WorkspaceClient;
  terminals: { client: ShellsDeps["client"]; live: ShellLink };
  drafts: Pick<Drafts, "read" | "write" | "taken">;
  kept: KeepsAttachments;
  openSession: (id: string) => SessionDoor;
  /** `Claude Code` */
  agentName: (agent: string) => string;
  /** Tries to reach the server at once. */
  tryConnection: () => void;
}
