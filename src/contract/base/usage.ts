import * as z from "zod";

const tokens = z.number().int();

/** The tokens of a turn, or of all turns together. They mean the same for every agent. */
export const Usage = z.object({
  /** All that the model read, over all its requests, what came from a cache included. */
  input_tokens: tokens,
  /** All that it wrote, its thoughts included. */
  output_tokens: tokens,
  /** Both together. */
  total_tokens: tokens,
  /** How much of what it read came from a cache; absent where the agent does not tell. */
  cached_tokens: tokens.optional(),
});
export type Usage = z.infer<typeof Usage>;

/** What the agent's context window holds. */
export const ContextUse = z.object({
  used_tokens: tokens,
  /** How much it can hold, where that is told. */
  size_tokens: tokens.nullable(),
});
export type ContextUse = z.infer<typeof ContextUse>;

/** A quota that is used up, and when it is filled again, where that is told. */
export const Limit = z.object({ resets_at: z.iso.datetime().nullable() });
export type Limit = z.infer<typeof Limit>;

/** What an event tells of it; releases before had no word of its own for that. */
export const contextOf = ({
  usage,
  context,
}: {
  usage: Usage;
  context?: ContextUse | undefined;
}): ContextUse =>
  context ?? { used_tokens: usage.total_tokens, size_tokens: null };

/** Releases before left out of the input what came from a cache, and had it in the total alone. */
export const inputOf = (usage: Usage): number =>
  Math.max(usage.input_tokens, usage.total_tokens - usage.output_tokens);

/** `1036 (1022 in, 800 of them cached, 14 out)`; with a unit, `1036 tokens (…)`. */
export const usageWords = (usage: Usage, unit = ""): string => {
  const { cached_tokens: cached = 0, output_tokens, total_tokens } = usage;
  const read = `${inputOf(usage)} in`;
  const parts = cached === 0 ? read : `${read}, ${cached} of them cached`;
  return `${total_tokens}${unit} (${parts}, ${output_tokens} out)`;
};

export const contextWords = ({
  used_tokens,
  size_tokens,
}: ContextUse): string =>
  size_tokens === null
    ? `${used_tokens} tokens`
    : `${used_tokens} of ${size_tokens} tokens`;
