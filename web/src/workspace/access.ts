/** Whether the workspace can be looked at. agentctl decides that, never the agent: files are there while no agent runs. */
import type { SessionView } from "../store/open-session.ts";

export type Access =
  | { kind: "open" }
  /** Nothing can be asked for now, and why. `isShort`: it opens by itself, and what was seen before stays. */
  | { kind: "closed"; isShort: boolean; title: string; text: string };

export const accessTo = ({
  session,
  status,
}: Pick<SessionView, "session" | "status">): Access => {
  if (session.deleted_at !== null)
    return {
      kind: "closed",
      isShort: false,
      title: "The session is in the trash",
      text: "Take it out of the trash to see its files.",
    };
  if (status?.executor_status === "starting")
    return {
      kind: "closed",
      isShort: true,
      title: "agentctl is being started",
      text: "Files and terminals open in a moment.",
    };
  return { kind: "open" };
};

/** A session that has ended is read. What is typed while agentctl is away does not arrive, which the terminal itself says. */
export const canTypeIn = ({ session }: Pick<SessionView, "session">): boolean =>
  session.status !== "ended" && session.deleted_at === null;

/** Nothing is started in a session that has ended. */
export const canOpenTerminal = ({
  session,
  status,
}: Pick<SessionView, "session" | "status">): boolean =>
  canTypeIn({ session }) &&
  accessTo({ session, status }).kind === "open" &&
  status?.executor_status !== "error";
