import * as z from "zod";
import type { Usage } from "../../../contract/base/usage.ts";

/** The tokens that the answer to a prompt tells of: in ACP's own field, or in the one that Gemini has for it. */
export const spentOn = (result: unknown): Usage | null => {
  const { usage, _meta } = Counted.safeParse(result).data ?? {};
  if (usage) return inOurWords(usage);
  const count = _meta?.quota?.token_count;
  return count === undefined
    ? null
    : { ...count, total_tokens: count.input_tokens + count.output_tokens };
};

/**
 * Agents differ in what they count as input and output: most leave out of the input what came from a cache or went into
 * one, some leave thoughts out of the output. Their total holds all of it, so it tells which they do. Ours holds all of it.
 */
const inOurWords = (usage: AcpUsage): Usage => {
  const { inputTokens, outputTokens, totalTokens, cachedReadTokens } = usage;
  const cache = (cachedReadTokens ?? 0) + (usage.cachedWriteTokens ?? 0);
  const thoughts = usage.thoughtTokens ?? 0;
  const besides = totalTokens - inputTokens - outputTokens;
  const areThoughtsBesides =
    besides !== cache && (besides === thoughts || besides === cache + thoughts);
  const isCacheWithin =
    besides !== cache && (besides === 0 || besides === thoughts);
  const input_tokens = inputTokens + (isCacheWithin ? 0 : cache);
  const output_tokens = outputTokens + (areThoughtsBesides ? thoughts : 0);
  return {
    input_tokens,
    output_tokens,
    total_tokens: input_tokens + output_tokens,
    ...(cachedReadTokens != null && { cached_tokens: cachedReadTokens }),
  };
};

const tokens = z.number().int();
const perhaps = tokens.nullish().catch(null);

const AcpUsage = z.object({
  inputTokens: tokens,
  outputTokens: tokens,
  totalTokens: tokens,
  cachedReadTokens: perhaps,
  cachedWriteTokens: perhaps,
  thoughtTokens: perhaps,
});
type AcpUsage = z.infer<typeof AcpUsage>;

const Counted = z.object({
  usage: AcpUsage.nullish().catch(null),
  _meta: z
    .object({
      quota: z
        .object({
          token_count: z
            .object({ input_tokens: tokens, output_tokens: tokens })
            .optional()
            .catch(undefined),
        })
        .optional()
        .catch(undefined),
    })
    .nullish()
    .catch(null),
});
