import type { State, UnresolvedPrompt } from "./state.ts";

export type InterruptedPrompt = Extract<
  UnresolvedPrompt,
  { kind: "interrupted" }
>;

/** The prompt of the newest turn, where that was interrupted and nobody has decided about it. */
export const newestCut = ({
  prompts,
  turns,
}: Pick<State, "prompts" | "turns">): InterruptedPrompt | null =>
  prompts.unresolved.findLast(
    (prompt): prompt is InterruptedPrompt =>
      prompt.kind === "interrupted" && prompt.turn === turns.last,
  ) ?? null;
