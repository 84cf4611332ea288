import { randomUUID } from "node:crypto";
import { access, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { type AgentHome, rootOf } from "../state/agent-home.ts";
import { movedPath } from "../state/moved-path.ts";
import { oneFileState } from "../state/one-file-state.ts";
import { isSafeId, type TranscriptWhere } from "../state/session-state.ts";

export const claudeHome: AgentHome = {
  roots: { CLAUDE_CONFIG_DIR: ".claude" },
  settings: [
    { root: "CLAUDE_CONFIG_DIR", name: "settings.json" },
    { root: "CLAUDE_CONFIG_DIR", name: "CLAUDE.md" },
  ],
};

/** Claude keeps a session below its directory's name, and that name may be cut: so all of them are looked through. */
export const findClaudeSession = async (
  where: TranscriptWhere,
  token: string,
): Promise<string | null> => {
  if (!isSafeId(token)) return null;
  const usual = await sessionPath(where, token);
  if (await isThere(usual)) return usual;
  for (const project of await readdir(projects(where)).catch(() => [])) {
    const path = join(projects(where), project, `${token}.jsonl`);
    if (await isThere(path)) return path;
  }
  return null;
};

/** One file of JSON lines; each bears the session's id and most the directory they were said in. */
export const claudeState = oneFileState({
  find: findClaudeSession,
  pathOf: sessionPath,
  rewrite: (from, to) => (record) => {
    const { sessionId, cwd } = record;
    const changed = {
      ...record,
      ...(sessionId === from.token && { sessionId: to.token }),
      ...(typeof cwd === "string" && { cwd: movedPath(cwd, from.cwd, to.cwd) }),
    };
    return changed.cwd === cwd && changed.sessionId === sessionId
      ? null
      : changed;
  },
  newToken: () => randomUUID(),
});

const projects = (where: TranscriptWhere): string =>
  join(rootOf(claudeHome, "CLAUDE_CONFIG_DIR", where), "projects");

/** Claude sees where it really is: links in the path are followed. */
async function sessionPath(
  where: TranscriptWhere,
  token: string,
): Promise<string> {
  const cwd = await realpath(where.cwd).catch(() => where.cwd);
  const project = cwd.replaceAll(/[^a-zA-Z0-9]/g, "-");
  return join(projects(where), project, `${token}.jsonl`);
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
