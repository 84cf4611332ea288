/** Sessions by the directory they work in. */
import type { Session } from "../../../src/contract/session/session.ts";

export interface Directory {
  path: string;
  /** The end of the path, as long as it takes to tell it from the others. */
  name: string;
  sessions: readonly Session[];
}

/** In the order in which the sessions come. */
export const directoriesOf = (sessions: readonly Session[]): Directory[] => {
  const groups = Map.groupBy(sessions, ({ cwd }) => cwd);
  const names = shortNames([...groups.keys()]);
  return [...groups].map(([path, members]) => ({
    path,
    name: names.get(path) ?? path,
    sessions: members,
  }));
};

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
