/** A permission request as a form for the person at the client. */
import {
  inputRequired,
  inputResponse,
  type InputRequest,
  type InputRequiredResult,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Client } from "../../client/client.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Permission } from "../../contract/agent/permission.ts";
import { PermissionId, type SessionId } from "../../contract/base/id.ts";
import type { Door } from "../base/door.ts";
import type { Call } from "../base/tool.ts";
import { oneLine } from "../base/words.ts";
import { Work } from "./work.ts";

/** What a form's answer comes back with: the call goes on with its prompt, and never sends it again. */
export const FormState = Work.extend({ permission_id: PermissionId });
export type FormState = z.infer<typeof FormState>;

const FIELD = "permission";

export const askByForm = async (
  { door, ctx }: Call,
  work: Work,
  permission: Permission,
): Promise<InputRequiredResult> => {
  const state: FormState = { ...work, permission_id: permission.id };
  return inputRequired({
    inputRequests: { [FIELD]: formOf(work.agent, permission) },
    requestState: await door.states.mint(state, ctx),
  });
};

export const formOf = (agent: string, permission: Permission): InputRequest =>
  inputRequired.elicit({
    message: `${agent} asks for permission: ${oneLine(permission.title, 1000)}`,
    requestedSchema: {
      type: "object",
      properties: {
        option: {
          type: "string",
          title: "Answer",
          oneOf: permission.options.map(({ id, name }) => ({
            const: id,
            title: oneLine(name, 100),
          })),
        },
      },
      required: ["option"],
    },
  });

const Chosen = z.object({ option: z.string().min(1).max(200) });

/** The option that a person accepted. A form that was declined or closed may have been so by a program: it says nothing. */
export const chosenOption = (
  responses: Record<string, unknown> | undefined,
  field: string = FIELD,
): string | null => {
  const response = inputResponse(responses, field);
  if (response.kind !== "elicit" || response.action !== "accept") return null;
  return Chosen.safeParse(response.content).data?.option ?? null;
};

/** Answers a permission request. One that is closed by now needs no answer. */
export const answerByForm = async (
  client: Client,
  session: string,
  permission: string,
  option: string,
): Promise<void> => {
  try {
    await client.answerPermission(session, permission, option, {
      key: `mcp-${permission}-${Buffer.from(option).toString("hex").slice(0, 200)}`,
    });
  } catch (error) {
    if (error instanceof RepriseError && error.code === "permission_closed")
      return;
    throw error;
  }
};

/** Forms that are remembered: whoever shows more than these may be asked about the oldest again. */
const MAX_UNANSWERED = 10_000;

/** Remembers that nobody answered a form. */
export const leaveUnanswered = (
  { unanswered }: Pick<Door, "unanswered">,
  session: SessionId,
  permission: PermissionId,
): void => {
  unanswered.add(formKey(session, permission));
  const [oldest] = unanswered;
  if (oldest !== undefined && unanswered.size > MAX_UNANSWERED)
    unanswered.delete(oldest);
};

export const isUnanswered = (
  { unanswered }: Pick<Door, "unanswered">,
  session: SessionId,
  permission: PermissionId,
): boolean => unanswered.has(formKey(session, permission));

const formKey = (session: SessionId, permission: PermissionId): string =>
  `${session}/${permission}`;
