import { decodePath } from "../../../src/contract/base/path-text.ts";

/** What of a session an address asks for. */
export type Shown =
  | { tab: "conversation" }
  | { tab: "changes" }
  | { tab: "rewind"; turn: number }
  /** `path`: of the file or directory, below the workspace; empty: the workspace itself. */
  | { tab: "workspace"; path: string };

/** `pathname` is that of the whole address: `/s/:id/…`, percent-encoded. Null where it names nothing. */
export const shownOf = (pathname: string): Shown | null => {
  const [, , , tab = "", ...names] = pathname.split("/");
  const below = decodePath(names.join("/"));
  if (below === null) return null;
  if (tab === "workspace") return { tab, path: below };
  if (tab === "rewind" && /^[1-9]\d{0,8}$/.test(below))
    return { tab, turn: Number(below) };
  if (below !== "") return null;
  if (tab === "") return { tab: "conversation" };
  return tab === "changes" ? { tab } : null;
};
