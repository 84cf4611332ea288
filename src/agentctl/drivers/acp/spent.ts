import { z } from "zod";
import type { Usage } from "../../../contract/usage.ts";

/** The tokens that the answer to a prompt tells of: in ACP's own field, or in the one that Gemini has for it. */
export const spentOn = (result: unknown): Usage | null => {
  const { usage, _meta } = Counted.safeParse(result).data ?? {};
  if (usage)
    return {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      total_tokens: usage.totalTokens,
    };
  const count = _meta?.quota?.token_count;
  return count === undefined
    ? null
    : { ...count, total_tokens: count.input_tokens + count.output_tokens };
};

const tokens = z.number().int();

const Counted = z.object({
  usage: z
    .object({ inputTokens: tokens, outputTokens: tokens, totalTokens: tokens })
    .nullish()
    .catch(null),
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
