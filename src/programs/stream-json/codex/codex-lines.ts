import type { Usage } from "@agentclientprotocol/sdk/unstable";
import * as z from "zod";
import { interpretItem } from "./codex-items.ts";
import type { Interpreted } from "../dialect/dialect.ts";

export interface Memory {
  run: string;
  /** Whether the last that was told are words to the user: the next ones are another message. */
  spoke: boolean;
}

export const begun = (run: string): Memory => ({ run, spoke: false });

/** The lines of `codex exec --json`. */
export const interpretCodex = (
  memory: Memory,
  line: unknown,
): [Memory, Interpreted[]] => {
  const said = Line.safeParse(line).data;
  switch (said?.type) {
    case "thread.started":
      return [memory, [{ kind: "session", id: said.thread_id }]];
    case "turn.started":
      return [memory, []];
    case "item.started":
    case "item.updated":
    case "item.completed":
      return [
        { ...memory, spoke: said.item.type === "agent_message" },
        interpretItem(memory, said.item, said.type === "item.started"),
      ];
    case "turn.completed":
      return [
        memory,
        [
          {
            kind: "finished",
            stopReason: "end_turn",
            usage: said.usage && { of: "session", usage: usageOf(said.usage) },
          },
        ],
      ];
    case "turn.failed": {
      const { message } = said.error;
      return [
        memory,
        [{ kind: "failed", failure: { kind: "error", message } }],
      ];
    }
    case "error":
      // It tries again after some of them, so the turn is not over.
      return [
        memory,
        [
          { kind: "complaint", message: said.message },
          { kind: "unknown", line },
        ],
      ];
    case undefined:
      return [memory, [{ kind: "unknown", line }]];
  }
};

const usageOf = (counts: Counts): Usage => ({
  inputTokens: counts.input_tokens,
  outputTokens: counts.output_tokens,
  totalTokens: counts.input_tokens + counts.output_tokens,
  cachedReadTokens: counts.cached_input_tokens,
  thoughtTokens: counts.reasoning_output_tokens,
});

const Counts = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cached_input_tokens: z.number().catch(0),
  reasoning_output_tokens: z.number().catch(0),
});
type Counts = z.infer<typeof Counts>;

const item = z.looseObject({ id: z.string(), type: z.string() });

const Line = z.discriminatedUnion("type", [
  z.object({ type: z.literal("thread.started"), thread_id: z.string() }),
  z.object({ type: z.literal("turn.started") }),
  z.object({ type: z.literal("item.started"), item }),
  z.object({ type: z.literal("item.updated"), item }),
  z.object({ type: z.literal("item.completed"), item }),
  z.object({
    type: z.literal("turn.completed"),
    usage: Counts.nullable().catch(null),
  }),
  z.object({
    type: z.literal("turn.failed"),
    error: z.object({ message: z.string() }),
  }),
  z.object({ type: z.literal("error"), message: z.string() }),
]);
