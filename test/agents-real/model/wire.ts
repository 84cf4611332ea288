import type { Conversation } from "./conversation.ts";
import type { Reply } from "./decide.ts";

/** How one API says what all of them say. */
export interface Wire {
  name: string;
  /** Where answers are asked for. */
  path: RegExp;
  read(body: unknown, path: string): Conversation;
  /** The answer as one document. */
  document(answer: Answer): object;
  /** The answer as events: those before its text, those of each piece of text, those after it. */
  stream(answer: Answer): {
    before: Frame[];
    chunk(text: string): Frame[];
    after: Frame[];
  };
  /** The answer 429 when there is no quota left for that many seconds. */
  quota(seconds: number): { headers: Record<string, string>; body: object };
}

export type Answer = Exclude<Reply, { kind: "quota" }>;

/** One event of a stream of server-sent events. */
export interface Frame {
  event?: string;
  data: unknown;
}

export const frameText = ({ event, data }: Frame): string =>
  `${event === undefined ? "" : `event: ${event}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

/** A fresh name for a message or a call. */
export const newId = (prefix: string): string =>
  `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
