import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { symlinkDurably } from "../../kit/files/durable-file.ts";
import { openPlain } from "../../kit/files/read-plain.ts";
import { type AgentHome, fileIn, type Person } from "../state/agent-home.ts";
import type { Login } from "./login.ts";
import { putNew } from "../state/put-file.ts";

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
    await bring(fileIn(home, file, person), fileIn(home, file, own), copy);
  for (const file of login?.files ?? [])
    await bring(
      fileIn(home, file, person),
      fileIn(home, file, own),
      symlinkDurably,
    );
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
  how: (from: string, to: string) => Promise<boolean>,
): Promise<void> => {
  if (!existsSync(from)) return;
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await how(from, to);
};

/** Whole or not at all: half a copy would stay for good. */
const copy = async (from: string, to: string): Promise<boolean> => {
  if (existsSync(to)) return true;
  await using file = await openPlain(from, { follow: true });
  const { mode } = await file.stat();
  const content = file.createReadStream({ autoClose: false });
  return await putNew(to, content, mode & 0o777);
};
