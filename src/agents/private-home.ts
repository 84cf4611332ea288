import { constants, existsSync } from "node:fs";
import { copyFile, mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasErrno } from "../kit/errno.ts";
import { type AgentHome, fileIn, type Person } from "./agent-home.ts";
import type { Login } from "./login.ts";

/**
 * Makes a home for one session, or finds it made, and returns the variables that lead an agent there. Settings are
 * copied once and are the session's own from then on. The login is linked: a copy would grow stale when either side
 * renews it.
 */
export const privateHome = async (
  { home, login }: { home: AgentHome; login?: Login },
  person: Person,
  directory: string,
): Promise<Record<string, string>> => {
  const variables = rootsIn(home, directory);
  const own: Person = { home: person.home, env: variables };
  for (const root of Object.values(variables))
    await mkdir(root, { recursive: true, mode: 0o700 });
  for (const file of home.settings)
    await bring(
      fileIn(home, file, person),
      fileIn(home, file, own),
      (from, to) => copyFile(from, to, constants.COPYFILE_EXCL),
    );
  for (const file of login?.files ?? [])
    await bring(fileIn(home, file, person), fileIn(home, file, own), symlink);
  return variables;
};

/** The variables that lead an agent into a directory. */
export const rootsIn = (
  { roots }: AgentHome,
  directory: string,
): Record<string, string> =>
  Object.fromEntries(
    Object.keys(roots).map((root) => [
      root,
      join(directory, root.toLowerCase()),
    ]),
  );

/** What the person does not have is not brought; what is there already stays. */
const bring = async (
  from: string,
  to: string,
  how: (from: string, to: string) => Promise<void>,
): Promise<void> => {
  if (!existsSync(from)) return;
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await how(from, to);
  } catch (error) {
    if (!hasErrno(error, "EEXIST")) throw error;
  }
};
