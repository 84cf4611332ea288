/** What an address of the workspace says besides the path. */
import { workspacePath } from "../routes.ts";

export interface WorkspaceQuery {
  /** The turn since which changes are marked; null: since the session began. */
  since: number | null;
  /** The line that is shown first, from 1 on. */
  line: number | null;
  /** The file itself, what changed in it since that turn, or what differs from the last commit. */
  shows: "file" | "changes" | "git";
}

export const workspaceQuery = (search: string): WorkspaceQuery => {
  const query = new URLSearchParams(search);
  const view = query.get("view");
  return {
    since: wholeNumber(query.get("since")),
    line: wholeNumber(query.get("line")) || null,
    shows: view === "changes" || view === "git" ? view : "file",
  };
};

const wholeNumber = (text: string | null): number | null =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;

/** The address of a file or directory; an empty path is that of the workspace. */
export const workspaceAddress = (
  id: string,
  path: string,
  { since, line, shows = "file" }: Partial<WorkspaceQuery> = {},
): string => {
  const query = new URLSearchParams();
  if (typeof since === "number") query.set("since", String(since));
  if (typeof line === "number") query.set("line", String(line));
  if (shows !== "file") query.set("view", shows);
  return `${workspacePath(id, path)}${query.size === 0 ? "" : `?${query}`}`;
};
