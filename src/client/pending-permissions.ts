import type { Permission } from "../contract/agent/permission.ts";
import type { SessionId } from "../contract/base/id.ts";
import type { Session } from "../contract/session/session.ts";
import type { Client } from "./client.ts";
import { patiently } from "./patiently.ts";

export interface PendingPermission {
  session: SessionId;
  permission: Permission;
}

/** Only a session with a turn in progress can have questions. */
const ASKING_STATE = "RUNNING";

/** What waits for a person, over all sessions. */
export const pendingPermissions = async (
  client: Client,
  signal?: AbortSignal,
): Promise<PendingPermission[]> => {
  const found: PendingPermission[] = [];
  let cursor: { after?: string } = {};
  for (;;) {
    const query = { state: ASKING_STATE, limit: 500, ...cursor };
    const page = await patiently(signal, () => client.listSessions(query));
    for (const listed of page.sessions) {
      const { id, pending_permissions } = await whole(client, listed, signal);
      for (const permission of pending_permissions)
        found.push({ session: id, permission });
    }
    if (page.next === null) return found;
    cursor = { after: page.next };
  }
};

/** Lists leave out what is long. */
const whole = async (
  client: Client,
  listed: Session,
  signal: AbortSignal | undefined,
): Promise<Pick<Session, "id" | "pending_permissions">> =>
  listed.shortened?.includes("pending_permissions") === true
    ? patiently(signal, () => client.showSession(listed.id))
    : listed;
