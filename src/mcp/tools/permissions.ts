import * as z from "zod";
import type { Client } from "../../client/client.ts";
import { collect } from "../../client/pages.ts";
import {
  allPendingPermissions,
  type PendingPermissions,
} from "../../client/pending-permissions.ts";
import { PermissionId } from "../../contract/base/id.ts";
import type { Permission } from "../../contract/agent/permission.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Session } from "../../contract/session/session.ts";
import { answer } from "../base/answer.ts";
import { findSession } from "../base/find-session.ts";
import { fromLastEvent } from "../base/last-event.ts";
import { type Call, tool } from "../base/tool.ts";
import { callOf, lines, oneLine } from "../base/words.ts";
import {
  optionWords,
  ShownPermission,
  shownPermission,
} from "../work/permission-words.ts";
import { sessionIdField } from "./session-words.ts";

const ListedPermission = ShownPermission.omit({ id: true }).extend({
  sessionId: z.string(),
  permissionId: z.string(),
});

export const listPendingPermissions = tool({
  name: "list_pending_permissions",
  title: "List permissions that wait",
  description:
    "Lists what agents wait to be allowed, of one session or of all.",
  input: z.strictObject({ sessionId: sessionIdField.optional() }),
  output: z.object({ permissions: z.array(ListedPermission) }),
  readOnly: true,
  async run({ sessionId }, { door: { client } }) {
    const pending =
      sessionId === undefined
        ? await collect(allPendingPermissions(client))
        : [pendingOf(await findSession(client, sessionId))];
    const permissions = pending.flatMap(shown);
    const text = permissions.map((each) =>
      lines(
        `${each.permissionId} of ${each.sessionId}: ${each.title}`,
        `  Options: ${optionWords(each)}`,
      ),
    );
    return answer(
      text.length === 0 ? "Nothing waits for permission." : text.join("\n"),
      { permissions },
    );
  },
});

const pendingOf = ({
  id,
  pending_permissions,
}: Session): PendingPermissions => ({
  session: id,
  permissions: pending_permissions,
});

const shown = ({ session, permissions }: PendingPermissions) =>
  permissions.map((permission) => {
    const { id, ...rest } = shownPermission(permission);
    return { sessionId: session, permissionId: id, ...rest };
  });

export const answerPermission = tool({
  name: "answer_permission",
  title: "Answer a permission request",
  description:
    "Answers what an agent wants to be allowed. Ask the person you work for, unless they told you how to answer.",
  input: z.strictObject({
    sessionId: sessionIdField,
    permissionId: PermissionId.describe("The id of the request (per_…)"),
    optionId: z
      .string()
      .min(1)
      .max(200)
      .describe("The id of one of its options, or its kind, like allow_once"),
  }),
  output: z.object({
    sessionId: z.string(),
    permissionId: z.string(),
    optionId: z.string(),
    state: z.string(),
  }),
  async run({ sessionId, permissionId, optionId }, call) {
    const { client } = call.door;
    const session = await findSession(client, sessionId);
    const option = await optionOf(call, session, permissionId, optionId);
    const { id, state } = await client.answerPermission(
      session.id,
      permissionId,
      option,
      { key: call.key },
    );
    return answer(
      lines(
        `Permission ${id} was answered with ${option}.`,
        `Next: ${callOf("wait_for_session", { sessionId: session.id })}`,
      ),
      { sessionId: session.id, permissionId: id, optionId: option, state },
    );
  },
});

/** The option that is meant, by its id or its kind. What does not wait any more is the server's to refuse. */
const optionOf = async (
  { door, caller }: Call,
  session: Session,
  permission: PermissionId,
  given: string,
): Promise<string> => {
  const asked = session.pending_permissions.find(({ id }) => id === permission);
  if (asked === undefined) {
    if (caller.callId === null) return given;
    // The same call may have answered it before, and is to say the same again.
    const before = await askedBefore(door.client, session, permission);
    return (before && fitting(before, given)) ?? given;
  }
  const option = fitting(asked, given);
  if (option !== null) return option;
  throw new RepriseError(
    "unknown_option",
    `Permission ${permission} has no option "${oneLine(given, 80)}"; it has ${asked.options.map(({ id }) => id).join(", ")}.`,
  );
};

const fitting = ({ options }: Permission, given: string): string | null =>
  (
    options.find(({ id }) => id === given) ??
    options.find(({ kind }) => kind === given)
  )?.id ?? null;

const askedBefore = (
  client: Client,
  session: Session,
  permission: PermissionId,
): Promise<Permission | null> =>
  fromLastEvent(client, session, (event) =>
    event.type === "session.permission.requested" &&
    event.data.permission.id === permission
      ? event.data.permission
      : null,
  );
