/** Who calls, and what their program can do. On the modern protocol every request tells it; before, the connection did. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { SessionId } from "../../contract/base/id.ts";
import { type ClientHabits, habitsOf } from "./client-table.ts";

export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

export interface Caller {
  name: string;
  habits: ClientHabits;
  /** Whether a form can be shown to a person there. */
  showsForms: boolean;
  /** Whether it takes a task handle instead of a result. */
  takesTasks: boolean;
  /** The client's own id of this call, which stays the same when it is repeated. */
  callId: string | null;
  progressToken: string | number | null;
  /** How many agents called each other to get here, as far as a header of the request says. */
  depth: number;
  /** The session in which the caller runs, as far as a header of the request says. */
  calledBy: SessionId | null;
}

/** Over HTTP it carries what `REPRISE_CALL_DEPTH` is over stdio. */
const DEPTH_HEADER = "x-reprise-call-depth";
/** Over HTTP it carries what `REPRISE_SESSION_ID` is over stdio. */
const SESSION_HEADER = "x-reprise-session-id";

const Named = z.object({ name: z.string() });
const Capabilities = z.object({
  elicitation: z
    .object({ form: z.unknown().optional(), url: z.unknown().optional() })
    .optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
});
const CallIds = z.object({
  "claudecode/toolUseId": z.string().min(1).optional(),
  callId: z.string().min(1).optional(),
});

export const callerOf = (
  { server }: McpServer,
  era: "legacy" | "modern",
  ctx: ServerContext,
): Caller => {
  const { _meta: meta, envelope } = ctx.mcpReq;
  const ofRequest = new Map(Object.entries(envelope ?? {}));
  const isModern = era === "modern";
  const info = Named.safeParse(
    isModern ? ofRequest.get(CLIENT_INFO_META_KEY) : server.getClientVersion(),
  );
  const can = Capabilities.safeParse(
    isModern
      ? ofRequest.get(CLIENT_CAPABILITIES_META_KEY)
      : server.getClientCapabilities(),
  );
  const { elicitation, extensions } = can.data ?? {};
  // An instance that never saw the client introduce itself knows only what HTTP tells.
  const name = info.data?.name ?? ctx.http?.req?.headers.get("user-agent");
  const depth = ctx.http?.req?.headers.get(DEPTH_HEADER) ?? "";
  const session = ctx.http?.req?.headers.get(SESSION_HEADER);
  const ids = CallIds.safeParse(meta ?? {}).data;
  return {
    name: name ?? "",
    habits: habitsOf(name ?? ""),
    showsForms:
      elicitation !== undefined &&
      (elicitation.form !== undefined || elicitation.url === undefined),
    takesTasks: isModern && Object.hasOwn(extensions ?? {}, TASKS_EXTENSION),
    callId: ids?.["claudecode/toolUseId"] ?? ids?.callId ?? null,
    progressToken: meta?.progressToken ?? null,
    depth: /^\d+$/.test(depth) ? Number(depth) : 0,
    calledBy: SessionId.safeParse(session).data ?? null,
  };
};
