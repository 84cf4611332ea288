import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { type AgentHome, rootOf } from "../state/agent-home.ts";
import { rewriteRollout } from "./codex-rollout.ts";
import { oneFileState } from "../state/one-file-state.ts";
import { isSafeId, type TranscriptWhere } from "../state/session-state.ts";

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

/** A UUID of version 7: its first 48 bits are the time, so ids sort by age. */
const uuidV7 = (now: number, random: Uint8Array = randomBytes(10)): string => {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.set(random, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes
    .toString("hex")
    .replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
};

/** The time an id of version 7 was made, in ms; null for any other id. */
const timeOfUuid = (id: string): number | null => {
  const match = /^([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-/.exec(id);
  return match === null ? null : Number.parseInt(`${match[1]}${match[2]}`, 16);
};
