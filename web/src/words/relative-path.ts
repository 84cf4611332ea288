/** Where a path may begin in a text. */
const BEFORE_PATH = /(^|[\s"'`([{<=:,;|&>])$/;

/** A text with the paths below these directories as they are seen from there. */
export const relativeTo = (
  text: string,
  directories: readonly string[],
): string =>
  directories.reduce((told, directory) => {
    const root = directory.endsWith("/") ? directory : `${directory}/`;
    if (root === "/") return told;
    return told
      .split(root)
      .reduce((before, rest) =>
        BEFORE_PATH.test(before) ? before + rest : before + root + rest,
      );
  }, text);
