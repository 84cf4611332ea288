import { createHash, randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { findChat, MARKER, projectsOf, tmpOf } from "./gemini-chats.ts";
import { isRecord, putLines, putNew } from "../state/put-file.ts";
import {
  isSafeId,
  type SessionState,
  type TranscriptWhere,
} from "../state/session-state.ts";

/**
 * The chat, below a project that is marked as the directory's. Gemini finds a project by its mark and enters it into
 * `projects.json` by itself, under its own lock; so that file, which all its sessions share, is neither kept nor touched.
 */
export const geminiState: SessionState = {
  newToken: () => randomUUID(),

  async collect(where, token) {
    const path = await findChat(where, token);
    return path === null ? [] : [{ name: basename(path), path }];
  },

  async put(saved, from, to) {
    const chat = saved.find(({ name }) => CHAT.test(name));
    if (chat === undefined) throw new Error("no chat of Gemini was saved");
    const project = await ownProject(to);
    for (const token of [to.token, randomUUID()]) {
      if (!isSafeId(token)) throw new Error(`${token} is no session id`);
      const name = chat.name.replace(CHAT, `$1-${token.slice(0, 8)}.jsonl`);
      const path = join(tmpOf(to), project, "chats", name);
      const placed = await putLines(chat.path, path, (record) =>
        rewritten(record, from.token, token, hashOf(to.cwd)),
      );
      if (placed !== "taken") return { token };
    }
    throw new Error("a fresh session id is taken");
  },
};

const CHAT = /^(session-[\dT-]{16})-[\w]{1,8}\.jsonl$/;

/** A chat begins with its session's id; every load after that sets it once more (`{"$set": {"sessionId": …}}`). */
const rewritten = (
  record: Record<string, unknown>,
  from: string,
  to: string,
  projectHash: string,
): Record<string, unknown> | null => {
  const { $set } = record;
  if (isRecord($set) && $set["sessionId"] === from && from !== to)
    return { ...record, $set: { ...$set, sessionId: to } };
  if (record["sessionId"] !== from) return null;
  const isSame =
    from === to &&
    (!("projectHash" in record) || record["projectHash"] === projectHash);
  if (isSame) return null;
  return {
    ...record,
    sessionId: to,
    ...("projectHash" in record && { projectHash }),
  };
};

const hashOf = (cwd: string): string =>
  createHash("sha256").update(cwd).digest("hex");

/** The directory's project, or a new one that is marked as its own. */
const ownProject = async (where: TranscriptWhere): Promise<string> => {
  const [there] = await projectsOf(where);
  if (there !== undefined) return there;
  const plain = basename(where.cwd)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  const name = plain === "" ? "project" : plain;
  const history = join(tmpOf(where), "..", "history");
  const taken = new Set(await readdir(history).catch(() => []));
  for (let n = 0; ; n += 1) {
    const project = n === 0 ? name : `${name}-${n}`;
    if (!taken.has(project) && (await claim(where, project))) return project;
  }
};

/** Whoever makes the mark owns the project. */
const claim = (where: TranscriptWhere, project: string): Promise<boolean> =>
  putNew(join(tmpOf(where), project, MARKER), [where.cwd]);
