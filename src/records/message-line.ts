import { Message } from "../contract/session/message.ts";
import { plainJson } from "./plain-text.ts";

/** A message that changes is another object, so what was serialised once stays right. */
const serialised = new WeakMap<Message, Buffer>();

/** A message's line with what divides it from the one before. */
export const lineOf = (message: Message, isFirst: boolean): Buffer => {
  const known = serialised.get(message);
  const line = known ?? Buffer.from(`,\n${plainJson(message)}`);
  if (known === undefined) serialised.set(message, line);
  return isFirst ? line.subarray(1) : line;
};

/** The messages of consecutive lines. Throws when they are none. */
export const messagesOf = (lines: Buffer): Message[] =>
  lines
    .toString()
    .split("\n")
    .map((line) => line.replace(/,$/, ""))
    .filter((line) => line !== "")
    .map((line) => Message.parse(JSON.parse(line)));
