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
  for (const directory of path.split(delimiter).filter(isAbsolute)) {
    const candidate = join(directory, program);
    if (await isExecutable(candidate)) return candidate;
  }
  return null;
};

const isExecutable = async (file: string): Promise<boolean> => {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
};
