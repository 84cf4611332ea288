import * as z from "zod";
import { Ending } from "./ending.ts";
import { InterruptionCode } from "./interruption.ts";
import { PromptLimits } from "../agent/prompt-limits.ts";
import { PromptId, SessionId } from "../base/id.ts";

export const PromptState = z.enum([
  "queued",
  "delivered",
  "running",
  "done",
  "interrupted",
  "uncertain",
  "cancelled",
]);
export type PromptState = z.infer<typeof PromptState>;

export const Prompt = z.object({
  id: PromptId,
  session_id: SessionId,
  turn: z.number().int().nullable(),
  state: PromptState,
  text: z.string(),
  /** What holds for its turn alone, where anything was said. */
  limits: PromptLimits.optional(),
});
export type Prompt = z.infer<typeof Prompt>;

/** A prompt whose turn was cut off, and about which nobody has decided. */
export const UnresolvedPrompt = Prompt.omit({ text: true }).extend({
  /** The session goes on with it by itself, at this time or as soon as it can; null where it waits for somebody. */
  goes_on: z.object({ at: z.iso.datetime().nullable() }).nullable().optional(),
  /** The beginning of the prompt, up to 200 characters. Older servers did not tell, nor why it was cut off. */
  text: z.string().optional(),
  why: z
    .object({
      /** Null where an older release has recorded it. */
      code: InterruptionCode.nullable(),
      /** In words, as the journal has it. */
      reason: z.string(),
      /** How the agent ended, where that cut the turn off. */
      ending: Ending.nullable(),
    })
    .optional(),
});
export type UnresolvedPrompt = z.infer<typeof UnresolvedPrompt>;

/** A change to what is kept of a prompt. The first names the event that admitted it, which holds its text. */
export interface PromptChange {
  id: PromptId;
  state: PromptState;
  turn: number | null;
  seq?: number;
}
