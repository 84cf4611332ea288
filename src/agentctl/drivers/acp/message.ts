import * as z from "zod";
import { isDeeperThan } from "../../../kit/data/json-depth.ts";
import { type Line, MAX_LINE_BYTES } from "../../../kit/data/ndjson.ts";

/** A line of an ACP agent, as far as JSON-RPC goes. */
export type Said =
  /** `tooLong`: it was a line of so many bytes, and `text` is its beginning. */
  | { kind: "garbage"; text: string; tooLong?: number }
  | { kind: "request"; id: RpcId; method: string; params: unknown }
  | { kind: "notification"; method: string; params: unknown }
  | { kind: "answer"; id: RpcId; result: unknown }
  | { kind: "refusal"; id: RpcId; error: RpcError };

export const RpcId = z.union([z.string(), z.number(), z.null()]);
export type RpcId = z.infer<typeof RpcId>;

export const RpcError = z.object({
  code: z.number().catch(0),
  message: z.string().catch(""),
  data: z.unknown().optional(),
});
export type RpcError = z.infer<typeof RpcError>;

/** Whatever else an agent puts there is an error too: whoever waits for the answer must not wait for ever. */
const AnyError = z.union([
  RpcError,
  z.unknown().transform((data): RpcError => ({ code: 0, message: "", data })),
]);

const Message = z.object({
  jsonrpc: z.literal("2.0"),
  id: RpcId.optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: AnyError.nullish(),
});

const SHOWN_GARBAGE = 16 * 1024;
/** No agent has a reason to nest deeper; what does is kept as text. */
const DEEPEST = 100;

export const read = (line: Line): Said => {
  if (line.cut) return readCut(line);
  const text = line.bytes.toString("utf8");
  const message = isDeeperThan(line.bytes, DEEPEST) ? undefined : parse(text);
  if (message?.method !== undefined) {
    const { id, method, params } = message;
    return id === undefined
      ? { kind: "notification", method, params }
      : { kind: "request", id, method, params };
  }
  if (message?.id !== undefined) {
    const { id, result, error } = message;
    return error
      ? { kind: "refusal", id, error }
      : { kind: "answer", id, result };
  }
  return { kind: "garbage", text: text.slice(0, SHOWN_GARBAGE) };
};

/** Of a line that is too long to be held only its two ends are there. If they show an answer to us, nobody waits for it any longer. */
const readCut = ({ bytes, end, from, to }: Line): Said => {
  const beginning = bytes.toString("utf8");
  const size = to - from;
  const id = answeredIn(beginning) ?? answeredIn(end?.toString("utf8") ?? "");
  if (id === undefined || isCall(beginning))
    return {
      kind: "garbage",
      text: beginning.slice(0, SHOWN_GARBAGE),
      tooLong: size,
    };
  const limit = MAX_LINE_BYTES / 1024 / 1024;
  const message = `the agent's answer was a line of ${Math.round(size / 1024 / 1024)} MiB; lines over ${limit} MiB are not read`;
  return { kind: "refusal", id, error: { code: 0, message } };
};

/** An id of ours. Inside a text of the agent the quotes would be escaped. */
const answeredIn = (part: string): string | undefined =>
  /"id"\s*:\s*"(\w+\.[\w.-]+)"/.exec(part)?.[1];

/** Requests and notifications name their method first. */
const isCall = (beginning: string): boolean =>
  /"method"\s*:/.test(beginning.slice(0, 200));

const parse = (text: string): z.infer<typeof Message> | undefined => {
  try {
    return Message.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

/** For a person: without the number of the protocol. What an agent says about an error is often only in `data`. */
export const describeError = ({ message, data }: RpcError): string => {
  const words = message || "error";
  const more = dataWords(data).slice(0, 2000);
  return more === "" || words.includes(more)
    ? words
    : `${words.replace(/\.$/, "")}: ${more}`;
};

const dataWords = (data: unknown): string => {
  if (data === undefined || data === null) return "";
  if (typeof data === "string") return data;
  const { details, message } = Words.safeParse(data).data ?? {};
  return details ?? message ?? JSON.stringify(data);
};

const Words = z.object({
  details: z.string().optional(),
  message: z.string().optional(),
});

/**
 * The id of a request says what it is for: `<incarnation>.<what>`. So the answer alone tells what was answered, to
 * whoever reads it, and requests of two runs of agentctl never share an id.
 */
export const requestId = (incarnation: string, what: string): string =>
  `${incarnation}.${what}`;

export const whatOf = (id: RpcId): string | null =>
  typeof id === "string" ? id.slice(id.indexOf(".") + 1) : null;
