import { randomUUID } from "node:crypto";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { type AgentHome, rootOf } from "../state/agent-home.ts";
import { movedPath } from "../state/moved-path.ts";
import { oneFileState, type Spot } from "../state/one-file-state.ts";
import { isRecord, type Rewrite } from "../state/put-file.ts";
import { isSafeId, type TranscriptWhere } from "../state/session-state.ts";

export const copilotHome: AgentHome = {
  roots: { COPILOT_HOME: ".copilot" },
  settings: [
    { root: "COPILOT_HOME", name: "config.json" },
    { root: "COPILOT_HOME", name: "mcp-config.json" },
    { root: "COPILOT_HOME", name: "copilot-instructions.md" },
  ],
};

export const findCopilotSession = async (
  where: TranscriptWhere,
  token: string,
): Promise<string | null> => {
  if (!isSafeId(token)) return null;
  const path = eventsOf(where, token);
  return access(path).then(
    () => path,
    () => null,
  );
};

const eventsOf = (where: TranscriptWhere, token: string): string =>
  join(
    rootOf(copilotHome, "COPILOT_HOME", where),
    "session-state",
    token,
    "events.jsonl",
  );

export const copilotState = oneFileState({
  find: findCopilotSession,
  pathOf: eventsOf,
  rewrite: (from, to) => rewriteEvents(from, to),
  newToken: () => randomUUID(),
});

/** `{type: "session.start", data: {sessionId, context: {cwd}}}`; other events bear neither. */
const rewriteEvents =
  (from: Spot, to: Spot): Rewrite =>
  (record) => {
    const { data } = record;
    if (!isRecord(data)) return null;
    const { sessionId, context } = data;
    const cwd = isRecord(context) ? context["cwd"] : undefined;
    const newId = sessionId === from.token ? to.token : sessionId;
    const newCwd =
      typeof cwd === "string" ? movedPath(cwd, from.cwd, to.cwd) : cwd;
    if (newId === sessionId && newCwd === cwd) return null;
    return {
      ...record,
      data: {
        ...data,
        ...(sessionId !== undefined && { sessionId: newId }),
        ...(isRecord(context) && { context: { ...context, cwd: newCwd } }),
      },
    };
  };
