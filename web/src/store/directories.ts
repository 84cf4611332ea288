/** Sessions by the directory they work in. */
import type { Session } from "../../../src/contract/session/session.ts";
import { legibleName } from "../words/legible.ts";

export interface Directory {
  path: string;
  /** The end of the path, as long as it takes to tell it from the others. */
  name: string;
  sessions: readonly Session[];
}

/** In the order in which the sessions come. Those that have a directory of their own are one group. */
export const directoriesOf = (sessions: readonly Session[]): Directory[] => {
  const groups = Map.groupBy(sessions, ({ cwd }) =>
    isOwn(cwd) ? OWN_DIRECTORIES : cwd,
  );
  const names = shortNames([...groups.keys()]);
  return [...groups].map(([path, members]) => ({
    path,
    name: legibleName(names.get(path) ?? path),
    sessions: members,
  }));
};

const OWN_DIRECTORIES = "Own directories";

/** The server made it for the session, and named it after the session. */
const isOwn = (path: string): boolean => /\/ses_[0-9a-z]{26}\/?$/.test(path);

/** Where a session works, in a word or two: its branch, or the end of its directory. */
export const placeName = ({
  worktree_branch,
  cwd,
}: Pick<Session, "worktree_branch" | "cwd">): string =>
  legibleName(
    worktree_branch ??
      (isOwn(cwd) ? "own directory" : (partsOf(cwd).at(-1) ?? cwd)),
  );

export const shortNames = (paths: readonly string[]): Map<string, string> => {
  const names = new Map<string, string>();
  let open = paths.map((path) => ({ path, parts: partsOf(path) }));
  for (let length = 1; open.length > 0; length++) {
    const groups = Map.groupBy(open, ({ parts }) =>
      parts.slice(-length).join("/"),
    );
    open = [];
    for (const [name, members] of groups)
      for (const member of members)
        if (members.length === 1 || length >= member.parts.length)
          names.set(member.path, name === "" ? member.path : name);
        else open.push(member);
  }
  return names;
};

const partsOf = (path: string): string[] =>
  path.split("/").filter((part) => part !== "");
