/** Where this process finds the mounts that it sees. Only Linux has it. */
export const MOUNTINFO = "/proc/self/mountinfo";

export interface Mount {
  /** Where it is mounted, as text or as bytes, whatever the list was read as. */
  path: string;
  /** The kind of file system. */
  kind: string;
}

/** What the list says, in its order: of several mounts at one path the last one is seen. */
export const parseMountinfo = (text: string): Mount[] =>
  text.split("\n").flatMap((line) => {
    const [about = "", source = ""] = line.split(" - ");
    const path = about.split(" ")[4];
    const [kind = ""] = source.split(" ");
    return path === undefined ? [] : [{ path: unescaped(path), kind }];
  });

/** Blanks and backslashes stand there as octal numbers. */
const unescaped = (path: string): string =>
  path.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
