import * as z from "zod";
import type { Client } from "../../client/client.ts";
import { PermissionId } from "../../contract/base/id.ts";
import type { Permission } from "../../contract/agent/permission.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Session } from "../../contract/session/session.ts";
import { answer } from "../base/answer.ts";
import { allSessions, findSession } from "../base/find-session.ts";
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
    const sessions =
      sessionId === undefined
        ? await waiting(client)
        : [await findSession(client, sessionId)];
    const permissions = sessions.flatMap((session) =>
      session.pending_permissions.map((each) => shown(session, each)),
    );
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

/** A list shows of each session a limited amount: those that wait are read one by one. */
const waiting = async (client: Client): Promise<Session[]> => {
  const found: Session[] = [];
  for await (const session of allSessions(client, { state: "RUNNING" }))
    if (session.pending_permissions.length > 0)
      found.push(await client.showSession(session.id));
  return found;
};

const shown = (session: Session, permission: Permission) => {
  const { id, ...rest } = shownPermission(permission);
  return { sessionId: session.id, permissionId: id, ...rest };
};

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
