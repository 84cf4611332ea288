import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/**
 * The absolute path of an executable, looked up as a shell does. Relative names and relative entries of PATH are not
 * followed: whose directory would they be relative to, when a daemon starts the program for a session?
 */
export const findProgram = async (
  program: string,
  path: string,
): Promise<string | null> => {
  if (program.includes("/"))
    return isAbsolute(program) && (await isExecutable(program))
      ? program
      : null;
  for (const directory of entriesOf(path)) {
    const candidate = join(directory, program);
    if (await isExecutable(candidate)) return candidate;
  }
  return null;
};

/** Each entry once. Nobody's PATH has that many; one that somebody sends may. */
export const entriesOf = (path: string): string[] =>
  [...new Set(path.split(delimiter).filter(isAbsolute))].slice(0, MAX_ENTRIES);

const MAX_ENTRIES = 512;

const isExecutable = async (file: string): Promise<boolean> => {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
};
