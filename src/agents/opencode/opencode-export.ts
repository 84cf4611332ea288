import { createHash, randomBytes } from "node:crypto";
import * as z from "zod";
import { movedPath } from "../state/moved-path.ts";
import type { Spot } from "../state/one-file-state.ts";

/** What `opencode export` writes and `opencode import` reads, as far as ids and directories go. */
const Part = z.looseObject({
  id: z.string(),
  sessionID: z.string(),
  messageID: z.string(),
});
const Message = z.object({
  info: z.looseObject({ id: z.string(), sessionID: z.string() }),
  parts: z.array(Part),
});
export const Exported = z.object({
  info: z.looseObject({ id: z.string(), directory: z.string() }),
  messages: z.array(Message),
});
export type Exported = z.infer<typeof Exported>;

/** A session as another one, in another directory. Ids of messages and parts are unique in the whole database, so they change with it. */
export const renamed = (
  { info, messages }: Exported,
  from: Spot,
  to: Spot,
): Exported => {
  const id = (old: string): string =>
    from.token === to.token ? old : renamedId(old, to.token);
  const ids = new Map(messages.map((each) => [each.info.id, id(each.info.id)]));
  const known = (value: unknown): unknown =>
    typeof value === "string" ? (ids.get(value) ?? value) : value;
  return {
    info: { ...info, id: to.token, directory: to.cwd },
    messages: messages.map((each) => ({
      info: {
        ...each.info,
        id: id(each.info.id),
        sessionID: to.token,
        ...("parentID" in each.info && {
          parentID: known(each.info["parentID"]),
        }),
        ...movedCwd(each.info["path"], from, to),
      },
      parts: each.parts.map((part) => ({
        ...part,
        id: id(part.id),
        sessionID: to.token,
        messageID: id(part.messageID),
      })),
    })),
  };
};

const Path = z.looseObject({ cwd: z.string() });

const movedCwd = (path: unknown, from: Spot, to: Spot): object => {
  const found = Path.safeParse(path).data;
  if (found === undefined) return {};
  return { path: { ...found, cwd: movedPath(found.cwd, from.cwd, to.cwd) } };
};

/** `msg_` and twelve digits that count up with time, then fourteen of chance: the order stays, the chance is another one, always the same. */
const renamedId = (id: string, token: string): string => {
  const match = /^([a-z]+_[\da-f]{12})/.exec(id);
  const hash = createHash("sha256").update(`${token} ${id}`).digest();
  return `${match?.[1] ?? id}${base62(hash)}`;
};

/** `ses_` and twelve digits that count down with time, so that the newest session is the first. */
export const newSessionId = (
  now: number,
  random: Uint8Array = randomBytes(14),
): string => {
  const count = (BigInt(now) * 0x1000n + 1n) & MAX_COUNT;
  const digits = (MAX_COUNT - count).toString(16).padStart(12, "0");
  return `ses_${digits}${base62(random)}`;
};

const MAX_COUNT = 0xffff_ffff_ffffn;

const ALPHABET =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const base62 = (bytes: Uint8Array): string =>
  [...bytes.subarray(0, 14)].map((byte) => ALPHABET[byte % 62]).join("");
