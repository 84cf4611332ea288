/** Signatures as Standard Webhooks define them: HMAC-SHA256 over `id.timestamp.body`. */
import { createHmac } from "node:crypto";

const PREFIX = "whsec_";
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const MIN_BYTES = 24;
const MAX_BYTES = 64;

/** The keys in a secret file, one per line. Null when a line holds none, or there is no line. */
export const keysIn = (text: string): Buffer[] | null => {
  const lines = text
    .split("\n")
    .map((each) => each.trim())
    .filter((each) => each !== "");
  const keys = lines.flatMap((each) => keyOf(each) ?? []);
  return keys.length === 0 || keys.length < lines.length ? null : keys;
};

const keyOf = (line: string): Buffer | null => {
  const encoded = line.startsWith(PREFIX) ? line.slice(PREFIX.length) : line;
  if (!BASE64.test(encoded)) return null;
  const key = Buffer.from(encoded, "base64");
  return key.length < MIN_BYTES || key.length > MAX_BYTES ? null : key;
};

/** The value of `webhook-signature`: one signature per key. */
export const signatureOf = (
  keys: readonly Buffer[],
  id: string,
  /** In seconds. */
  timestamp: number,
  body: string,
): string =>
  keys
    .map((key) =>
      createHmac("sha256", key)
        .update(`${id}.${timestamp}.${body}`)
        .digest("base64"),
    )
    .map((signature) => `v1,${signature}`)
    .join(" ");
