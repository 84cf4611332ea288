import { encodePath } from "../../src/contract/base/path-text.ts";

/** The addresses of the page. */
export const routes = {
  home: "/",
  newSession: "/new",
  session: "/s/:id",
  changes: "/s/:id/changes",
  rewind: "/s/:id/rewind/:turn",
  workspace: "/s/:id/workspace/*?",
  tasks: "/tasks/:id?",
  race: "/races/:name",
  agents: "/agents",
  settings: "/settings",
  trash: "/trash",
} as const;

export const sessionPath = (id: string): string => `/s/${id}`;
export const changesPath = (
  id: string,
  { from, to }: { from?: number; to?: number } = {},
): string => {
  const query = new URLSearchParams();
  if (from !== undefined) query.set("from", String(from));
  if (to !== undefined) query.set("to", String(to));
  return `/s/${id}/changes${query.size === 0 ? "" : `?${query}`}`;
};
export const rewindPath = (id: string, turn: number): string =>
  `/s/${id}/rewind/${turn}`;
export const workspacePath = (id: string, path = ""): string =>
  `/s/${id}/workspace/${encodePath(path)}`;
export const racePath = (name: string): string => `/races/${name}`;
export const taskPath = (id: string): string => `/tasks/${id}`;
