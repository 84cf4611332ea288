import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type AgentHome, rootOf } from "../state/agent-home.ts";
import { rewriteRollout } from "./codex-rollout.ts";
import { oneFileState } from "../state/one-file-state.ts";
import { isSafeId, type TranscriptWhere } from "../state/session-state.ts";
import { timeOfUuid, uuidV7 } from "../state/uuid-v7.ts";

export const codexHome: AgentHome = {
  roots: { CODEX_HOME: ".codex" },
  settings: [
    { root: "CODEX_HOME", name: "config.toml" },
    { root: "CODEX_HOME", name: "AGENTS.md" },
  ],
};

/** `sessions/2026/11/15/rollout-2026-11-15T10-00-00-<id>.jsonl`, by local time. The id bears its own time, so the day is looked into first. */
export const findRollout = async (
  where: TranscriptWhere,
  token: string,
): Promise<string | null> => {
  if (!isSafeId(token)) return null;
  const sessions = sessionsOf(where);
  for (const day of daysAround(timeOfUuid(token))) {
    const found = await findIn(join(sessions, day), token);
    if (found !== null) return found;
  }
  const all = await readdir(sessions, { recursive: true }).catch(() => []);
  const found = all.find((path) => path.endsWith(`-${token}.jsonl`));
  return found === undefined ? null : join(sessions, found);
};

const findIn = async (day: string, token: string): Promise<string | null> => {
  const names = await readdir(day).catch(() => []);
  const name = names.find((each) => each.endsWith(`-${token}.jsonl`));
  return name === undefined ? null : join(day, name);
};

const DAY_MS = 24 * 60 * 60 * 1000;

const daysAround = (time: number | null): string[] =>
  time === null
    ? []
    : [time, time - DAY_MS, time + DAY_MS].map((each) =>
        stampOf(each).slice(0, 10).replaceAll("-", "/"),
      );

/** `2026-11-15T10-00-00` */
const stampOf = (time: number): string =>
  new Date(time).toISOString().slice(0, 19).replaceAll(":", "-");

const sessionsOf = (where: TranscriptWhere): string =>
  join(rootOf(codexHome, "CODEX_HOME", where), "sessions");

/** Locked by whoever writes the thread. */
export const writerLock = (where: TranscriptWhere, token: string): string =>
  join(
    rootOf(codexHome, "CODEX_HOME", where),
    "thread-writer-locks",
    `${token}.lock`,
  );

/**
 * The rollout alone: Codex enters what it finds there into its database by itself. The database holds absolute paths and
 * the sessions of everybody, so it is never kept.
 */
export const codexState = oneFileState({
  find: findRollout,
  pathOf: async (to, token) => {
    const there = await findRollout(to, token);
    if (there !== null) return there;
    const stamp = stampOf(timeOfUuid(token) ?? Date.now());
    const day = stamp.slice(0, 10).replaceAll("-", "/");
    return join(sessionsOf(to), day, `rollout-${stamp}-${token}.jsonl`);
  },
  rewrite: rewriteRollout,
  newToken: () => uuidV7(Date.now()),
});
