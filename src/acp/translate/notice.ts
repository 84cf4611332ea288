import type { SessionUpdate } from "@agentclientprotocol/sdk";

/** For clients that say that they show notices. */
export const notice = (
  severity: string,
  title: string,
  description: string | null,
): SessionUpdate => ({
  sessionUpdate: "notice",
  severity,
  title,
  ...(description !== null && { description }),
});
