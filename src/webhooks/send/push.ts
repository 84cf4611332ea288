import type { Channel } from "../channel.ts";
import { PAUSES_MS } from "../schedule.ts";
import { post } from "./post.ts";
import { readToken } from "./secret.ts";

export const PUSH = "notify.url";
const DAY_MS = 24 * 60 * 60_000;

/** A service that takes notifications as ntfy does: the text is the body, the rest are headers. */
export const pushChannel = ({
  url,
  tokenFile,
  timeoutMs,
  version,
  ...wishes
}: Pick<Channel, "events" | "wants" | "isSettled"> & {
  url: string;
  tokenFile: string | null;
  timeoutMs: number;
  version: string;
}): Channel => ({
  id: PUSH,
  kind: "push",
  url,
  ...wishes,
  pausesMs: PAUSES_MS,
  maxAgeMs: DAY_MS,
  async problem() {
    const token = tokenFile === null ? null : await readToken(tokenFile);
    return token !== null && "problem" in token ? token.problem : null;
  },
  async send({ note }, signal) {
    const token = tokenFile === null ? null : await readToken(tokenFile);
    if (token !== null && "problem" in token)
      return { kind: "failed", status: null, error: token.problem };
    return post({
      url,
      headers: {
        "content-type": "text/plain; charset=utf-8",
        "user-agent": `Reprise/${version}`,
        title: headerText(note.title),
        priority: note.isUrgent ? "high" : "default",
        tags: note.isUrgent ? "raised_hand" : "white_check_mark",
        ...(token === null ? {} : { authorization: `Bearer ${token.value}` }),
      },
      body: note.text,
      timeoutMs,
      signal,
    });
  },
});

/** Headers hold ASCII; everything else is encoded as in mails (RFC 2047), which ntfy reads. */
export const headerText = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text)
    ? text
    : `=?UTF-8?B?${Buffer.from(text).toString("base64")}?=`;
