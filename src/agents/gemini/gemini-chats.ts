import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import * as z from "zod";
import { openPlain, readPlain } from "../../kit/files/read-plain.ts";
import { type AgentHome, type Person, rootOf } from "../state/agent-home.ts";
import { isSafeId, type TranscriptWhere } from "../state/session-state.ts";

export const geminiHome: AgentHome = {
  roots: { GEMINI_CLI_HOME: "" },
  alone: ".gemini",
  settings: [
    { root: "GEMINI_CLI_HOME", name: ".gemini/settings.json" },
    { root: "GEMINI_CLI_HOME", name: ".gemini/GEMINI.md" },
  ],
};

/** Each project has a directory of this name with a short one of its own: `tmp/<short>/.project_root` says whose it is. */
export const MARKER = ".project_root";

export const tmpOf = (person: Person): string =>
  join(rootOf(geminiHome, "GEMINI_CLI_HOME", person), ".gemini", "tmp");

/** The chat of a session: `tmp/<project>/chats/session-<minute>-<first 8 of the id>.jsonl`, only in its own project. */
export const findChat = async (
  where: TranscriptWhere,
  token: string,
): Promise<string | null> => {
  if (!isSafeId(token)) return null;
  const found: { path: string; size: number }[] = [];
  for (const project of await projectsOf(where)) {
    const chats = join(tmpOf(where), project, "chats");
    for (const name of await readdir(chats).catch(() => [])) {
      if (!name.endsWith(`-${token.slice(0, 8)}.jsonl`)) continue;
      const path = join(chats, name);
      if ((await sessionIn(path)) !== token) continue;
      found.push({ path, size: (await stat(path)).size });
    }
  }
  // Every load leaves a chat with the same id and nothing in it.
  return found.sort((a, b) => b.size - a.size)[0]?.path ?? null;
};

/** The short names of a directory. */
export const projectsOf = async (where: TranscriptWhere): Promise<string[]> => {
  const tmp = tmpOf(where);
  const found: string[] = [];
  for (const name of await readdir(tmp).catch(() => [])) {
    const marker = join(tmp, name, MARKER);
    const owner = await readPlain(marker, LONGEST_PATH, { follow: true }).catch(
      () => null,
    );
    if (owner !== null && resolve(owner.trim()) === resolve(where.cwd))
      found.push(name);
  }
  return found;
};

const Header = z.object({ sessionId: z.string() });
const HEADER_BYTES = 4096;
const LONGEST_PATH = 8192;

/** The session a chat belongs to: its first line says so. */
const sessionIn = async (path: string): Promise<string | null> => {
  await using file = await openPlain(path, { follow: true }).catch(() => null);
  if (file === null) return null;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES));
  const [line = ""] = buffer.toString("utf8", 0, bytesRead).split("\n");
  try {
    return Header.safeParse(JSON.parse(line)).data?.sessionId ?? null;
  } catch {
    return null;
  }
};
