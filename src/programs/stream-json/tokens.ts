import type { Usage } from "@agentclientprotocol/sdk/unstable";
import type { Counted } from "./dialect/dialect.ts";

/** Some CLIs only count what a whole session has cost: what a turn cost is the difference. */
export class Tokens {
  #before: Usage | null;

  /** In a session that was begun elsewhere nobody knows what it has cost. */
  constructor(isNew: boolean) {
    this.#before = isNew ? none : null;
  }

  /** What the turn cost that these are the figures of, or null when it cannot be told. */
  spent(counted: Counted | null): Usage | null {
    if (counted === null) return null;
    if (counted.of === "turn") return counted.usage;
    const before = this.#before;
    this.#before = counted.usage;
    return before && difference(counted.usage, before);
  }
}

const none: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

const difference = (now: Usage, before: Usage): Usage => ({
  inputTokens: now.inputTokens - before.inputTokens,
  outputTokens: now.outputTokens - before.outputTokens,
  totalTokens: now.totalTokens - before.totalTokens,
  cachedReadTokens:
    (now.cachedReadTokens ?? 0) - (before.cachedReadTokens ?? 0),
  thoughtTokens: (now.thoughtTokens ?? 0) - (before.thoughtTokens ?? 0),
});
