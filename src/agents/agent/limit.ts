import * as z from "zod";
import type { Limit } from "../../contract/base/usage.ts";
import type { AgentError } from "./agent.ts";

const TOO_MANY_REQUESTS = 429;

/**
 * How agents say that a quota is used up, each in fields of its own. Gemini gives the code of HTTP, Claude and Codex
 * name the kind of error beside the message. What an agent only puts into prose stays prose: Copilot ends the turn as if
 * nothing had happened, and Codex writes the time of day into a sentence.
 */
const Data = z.object({
  errorKind: z.string().optional(),
  codexErrorInfo: z.string().optional(),
  resetsAt: z.number().optional(),
});

const KINDS: ReadonlySet<string | undefined> = new Set([
  "rate_limit",
  "billing_error",
  "usageLimitExceeded",
  "rateLimitExceeded",
]);

/** The quota that an error is about; null when it is about something else. */
export const limitOf = ({ code, data }: AgentError): Limit | null => {
  const known = Data.safeParse(data).data;
  const isLimit =
    code === TOO_MANY_REQUESTS ||
    KINDS.has(known?.errorKind ?? known?.codexErrorInfo);
  return isLimit ? { resets_at: timeOf(known?.resetsAt) } : null;
};

/** Claude sends the time with its count of tokens, before the turn ends with the error. */
const RateLimit = z.object({
  "_claude/rateLimit": z.object({
    status: z.literal("rejected"),
    resetsAt: z.number().optional(),
  }),
});

/** The quota that an update tells of; null when it tells of none that is used up. */
export const limitInUpdate = (meta: unknown): Limit | null => {
  const known = RateLimit.safeParse(meta).data?.["_claude/rateLimit"];
  return known === undefined ? null : { resets_at: timeOf(known.resetsAt) };
};

/** Seconds, as both of them count. */
const timeOf = (seconds: number | undefined): string | null => {
  const time = new Date((seconds ?? Number.NaN) * 1000);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
};
