import * as z from "zod";
import { AgentToken } from "../../../contract/agent/agent.ts";
import type { Said } from "./message.ts";

/** `_reprise/session {sessionId, token}`: our adapter tells what its CLI calls the session, once the CLI has said it. */
export const namedBy = (said: Said): string | null =>
  said.kind === "notification" && said.method === "_reprise/session"
    ? (Named.safeParse(said.params).data?.token ?? null)
    : null;

const Named = z.object({ token: AgentToken.min(1) });
