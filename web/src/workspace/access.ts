/** Whether the workspace can be looked at. agentctl decides that, never the agent: files are there while no agent runs. */
import type { SessionView } from "../store/open-session.ts";

export type Access =
  | { kind: "open" }
  /** Nothing can be asked for now, and why. */
  | { kind: "closed"; title: string; text: string };

export const accessTo = ({
  session,
  status,
}: Pick<SessionView, "session" | "status">): Access => {
  if (session.deleted_at !== null)
    return {
      kind: "closed",
      title: "The session is in the trash",
      text: "Take it out of the trash to see its files.",
    };
  if (status?.executor_status === "starting")
    return {
      kind: "closed",
      title: "agentctl is being started",
      text: "Files and terminals open in a moment.",
    };
  return { kind: "open" };
};

/** A session that has ended is read, and nothing is started in it any more. */
export const canOpenTerminal = ({
  session,
  status,
}: Pick<SessionView, "session" | "status">): boolean =>
  session.status !== "ended" &&
  accessTo({ session, status }).kind === "open" &&
  status?.executor_status !== "error";
