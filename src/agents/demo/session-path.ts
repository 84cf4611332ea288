import { access } from "node:fs/promises";
import { join } from "node:path";

/** Where the demo agent keeps everything it keeps. `home` is the home directory it runs with. */
export const demoHome = (
  env: Record<string, string | undefined>,
  home: string,
): string => env["DEMO_HOME"] || join(home, ".reprise-demo");

/** The file of a session, or null for an id that is none of ours (an id may come from anybody, and becomes a path). */
export const sessionPath = (demoHome: string, id: string): string | null =>
  /^[\w-]{1,128}$/.test(id) ? join(demoHome, "sessions", `${id}.jsonl`) : null;

export const existingSession = async (
  demoHome: string,
  id: string,
): Promise<string | null> => {
  const path = sessionPath(demoHome, id);
  if (path === null) return null;
  try {
    await access(path);
    return path;
  } catch {
    return null;
  }
};
