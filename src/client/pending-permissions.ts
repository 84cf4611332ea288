import type { Permission } from "../contract/agent/permission.ts";
import type { SessionId } from "../contract/base/id.ts";
import type { Session } from "../contract/session/session.ts";
import type { Client } from "./client.ts";
import { allSessions } from "./pages.ts";
import { patiently } from "./patiently.ts";

/** What an agent waits to be allowed. */
export interface PendingPermissions {
  session: SessionId;
  permissions: readonly Permission[];
}

/** What waits for a person, session by session. */
export async function* allPendingPermissions(
  client: Client,
  signal?: AbortSignal,
): AsyncGenerator<PendingPermissions, void, undefined> {
  const listed = allSessions(
    {
      listSessions: (query) =>
        patiently(signal, () => client.listSessions(query)),
    },
    { needs_you: true },
  );
  for await (const session of listed)
    yield await pendingPermissionsOf(client, session, signal);
}

/** What the agent of a session in a list waits to be allowed. Lists leave out what is long. */
export const pendingPermissionsOf = async (
  client: Client,
  listed: Session,
  signal?: AbortSignal,
): Promise<PendingPermissions> => {
  const { id, pending_permissions } =
    listed.shortened?.includes("pending_permissions") === true
      ? await patiently(signal, () => client.showSession(listed.id))
      : listed;
  return { session: id, permissions: pending_permissions };
};
