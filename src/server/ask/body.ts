import { MAX_BODY_BYTES, MAX_JSON_DEPTH } from "../../contract/api/request.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { isDeeperThan } from "../../kit/data/json-depth.ts";
import { refuseUnsendable } from "./unsendable.ts";

/** The JSON of a request's body; `{}` when there is none. Never holds more than the limit in memory. */
export const readJson = async (request: Request): Promise<unknown> => {
  if (request.body === null) return {};
  refuseAnnouncedSize(request.headers);
  const bytes = await readLimited(request.body);
  // Only reading tells: over a socket a request without a body has an empty one, and need not say how long it is.
  if (bytes.length === 0) return {};
  requireJson(request.headers);
  const value = parseJson(decode(bytes));
  refuseDeep(bytes);
  refuseUnsendable(value);
  return value;
};

export const refuseDeep = (json: Uint8Array): void => {
  if (isDeeperThan(json, MAX_JSON_DEPTH))
    throw new RepriseError(
      "invalid_request",
      `The JSON nests deeper than ${MAX_JSON_DEPTH} levels; send it flatter.`,
    );
};

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RepriseError(
      "malformed_json",
      `This is not JSON: ${error instanceof Error ? error.message.slice(0, 200) : "unreadable"}.`,
      { cause: error },
    );
  }
};

/** A form of another site can send text, but not this type without asking first; so the type is part of the defence. */
const requireJson = (headers: Headers): void => {
  const type = headers.get("content-type") ?? "";
  const isJson =
    /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(
      type.trim(),
    );
  const encoding = headers.get("content-encoding") ?? "identity";
  if (isJson && encoding === "identity") return;
  throw new RepriseError(
    "unsupported_media_type",
    `Send the body as "Content-Type: application/json" in UTF-8, not compressed; this one is ${JSON.stringify(type)}${encoding === "identity" ? "" : `, encoded as ${JSON.stringify(encoding)}`}.`,
  );
};

const refuseAnnouncedSize = (headers: Headers): void => {
  if (Number(headers.get("content-length") ?? 0) > MAX_BODY_BYTES)
    throw tooLarge();
};

const readLimited = async (
  body: ReadableStream<Uint8Array>,
): Promise<Uint8Array> => {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw new RepriseError(
        "invalid_request",
        "The body ended before it was complete.",
        { cause: error },
      );
    });
    if (done) return Buffer.concat(chunks);
    size += value.length;
    if (size > MAX_BODY_BYTES) {
      await reader.cancel();
      throw tooLarge();
    }
    chunks.push(value);
  }
};

const tooLarge = (): RepriseError =>
  new RepriseError(
    "body_too_large",
    `A body may have at most ${MAX_BODY_BYTES} bytes.`,
  );

const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new RepriseError(
      "invalid_utf8",
      "The body holds bytes that are not UTF-8; encode it as UTF-8.",
      { cause: error },
    );
  }
};
