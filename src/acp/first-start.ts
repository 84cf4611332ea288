/** Waits for the agent of a new session: only then is it known what it offers. */
import type { RequestError } from "@agentclientprotocol/sdk";
import type { Client } from "../client/client.ts";
import type { SessionId } from "../contract/base/id.ts";
import { notStarted } from "./translate/outcome.ts";

/** Editors show nothing until a new session is answered; what comes later is told by an update. */
const MAX_WAIT_MS = 20_000;

/** Resolves with why it did not start; null when it did, or takes longer. */
export const firstStart = async (
  client: Client,
  session: SessionId,
  waitMs = MAX_WAIT_MS,
): Promise<RequestError | null> => {
  const signal = AbortSignal.timeout(waitMs);
  for await (const event of client.follow(session, { signal })) {
    if (event.type === "session.agent.ready") return null;
    if (event.type === "session.state_changed" && event.data.to === "ERROR")
      return notStarted(event.data);
  }
  return null;
};
