/** What of a session an address asks for. */
export type Shown =
  | { tab: "conversation" }
  | { tab: "changes" }
  | { tab: "rewind"; turn: number }
  /** `path`: of the file or directory, below the workspace; empty: the workspace itself. */
  | { tab: "workspace"; path: string };

/** `rest` is what follows the id, decoded. Null where that names nothing. */
export const shownOf = (rest: string): Shown | null => {
  const [tab = "", ...names] = rest.split("/");
  const below = names.join("/");
  if (tab === "workspace") return { tab, path: below };
  if (tab === "rewind" && /^[1-9]\d{0,8}$/.test(below))
    return { tab, turn: Number(below) };
  if (below !== "") return null;
  if (tab === "") return { tab: "conversation" };
  return tab === "changes" ? { tab } : null;
};
