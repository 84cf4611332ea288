import type { SessionUpdate, Usage } from "@agentclientprotocol/sdk/unstable";
import { interpretAsk } from "./claude-ask.ts";
import { type Block, interpretBlocks } from "./claude-blocks.ts";
import {
  type Counts,
  Line,
  Noise,
  type Result,
  type StreamEvent,
} from "./claude-shapes.ts";
import type { Failure, Interpreted } from "../dialect/dialect.ts";

/** What has to be kept in mind between the lines of one run. */
export interface Memory {
  /** Whether the run has named its session. One that cannot open the session it is asked for never does. */
  begun: boolean;
  /** Messages whose words came piece by piece: the whole message repeats them. */
  streamed: ReadonlySet<string>;
  failure: Failure["kind"];
  resetsAt: number | null;
}

export const blank: Memory = {
  begun: false,
  streamed: new Set(),
  failure: "error",
  resetsAt: null,
};

/** The lines of Claude Code's `stream-json`, which Amp prints too. */
export const interpretClaude = (
  memory: Memory,
  line: unknown,
): [Memory, Interpreted[]] => {
  const said = Line.safeParse(line).data;
  switch (said?.type) {
    case "system":
      if (said.subtype === "init")
        return [
          { ...memory, begun: true },
          [{ kind: "session", id: said.session_id }],
        ];
      break;
    case "stream_event":
      return interpretEvent(memory, said.event, said.parent_tool_use_id);
    case "assistant": {
      if (said.error !== undefined)
        return [{ ...memory, failure: failures[said.error] ?? "error" }, []];
      const { id, content } = said.message;
      const fresh = (block: Block): boolean =>
        !isWords(block) || id === undefined || !memory.streamed.has(id);
      return [
        memory,
        [...interpretBlocks(content.filter(fresh)), ...at(said.uuid)],
      ];
    }
    case "user":
      return [memory, interpretBlocks(said.message.content.filter(isResult))];
    case "result":
      return [memory, [interpretResult(memory, said)]];
    case "control_request":
      return [memory, interpretAsk(line)];
    case "control_response":
      return [memory, said.response.subtype === "success" ? [KNOWN] : []];
    case "rate_limit_event": {
      const { status, resetsAt } = said.rate_limit_info;
      if (status !== "rejected" || resetsAt === undefined) break;
      return [{ ...memory, resetsAt }, [{ kind: "unknown", line }]];
    }
    case "keep_alive":
      return [memory, []];
    case undefined:
      break;
  }
  return [memory, isNoise(line) ? [] : [{ kind: "unknown", line }]];
};

const interpretEvent = (
  memory: Memory,
  event: StreamEvent["event"],
  parent: string | null | undefined,
): [Memory, Interpreted[]] => {
  // What a helper of the agent says is no answer to the user.
  if (parent != null) return [memory, []];
  switch (event.type) {
    case "message_start": {
      const streamed = new Set(memory.streamed).add(event.message.id);
      return [{ ...memory, streamed }, []];
    }
    case "content_block_delta": {
      const { text, thinking } = event.delta;
      const update =
        text !== undefined
          ? words("agent_message_chunk", text)
          : thinking !== undefined
            ? words("agent_thought_chunk", thinking)
            : null;
      return [memory, update === null ? [] : [{ kind: "update", update }]];
    }
    case "other":
      return [memory, []];
  }
};

const interpretResult = (memory: Memory, said: Result): Interpreted => {
  const { subtype, is_error, stop_reason, usage } = said;
  const counted = usage && { of: "turn" as const, usage: usageOf(usage) };
  const finished = (stopReason: keyof typeof stops): Interpreted => ({
    kind: "finished",
    stopReason: stops[stopReason],
    usage: counted ?? null,
  });
  if (subtype === "error_max_turns") return finished("max_turns");
  if (subtype === "success" && !is_error)
    return finished(
      stop_reason === "max_tokens" || stop_reason === "refusal"
        ? stop_reason
        : "end_turn",
    );
  const message = said.result ?? said.errors?.join("\n") ?? subtype;
  return {
    kind: "failed",
    failure: {
      kind: memory.begun ? memory.failure : "unknown_session",
      message,
      ...(memory.resetsAt === null ? {} : { resetsAt: memory.resetsAt }),
    },
  };
};

const stops = {
  end_turn: "end_turn",
  max_tokens: "max_tokens",
  refusal: "refusal",
  max_turns: "max_turn_requests",
} as const;

const failures: Record<string, Failure["kind"]> = {
  authentication_failed: "not_logged_in",
  rate_limit: "rate_limit",
  billing_error: "rate_limit",
};

const usageOf = (counts: Counts): Usage => {
  const { input_tokens, output_tokens } = counts;
  const read = counts.cache_read_input_tokens ?? 0;
  const written = counts.cache_creation_input_tokens ?? 0;
  return {
    inputTokens: input_tokens + read + written,
    outputTokens: output_tokens,
    totalTokens: input_tokens + read + written + output_tokens,
    cachedReadTokens: read,
    cachedWriteTokens: written,
  };
};

const KNOWN: Interpreted = { kind: "known" };

const at = (uuid: string | undefined): Interpreted[] =>
  uuid === undefined ? [] : [{ kind: "at", message: uuid }];

const words = (
  sessionUpdate: "agent_message_chunk" | "agent_thought_chunk",
  text: string,
): SessionUpdate => ({ sessionUpdate, content: { type: "text", text } });

const isWords = ({ type }: Block): boolean =>
  type === "text" || type === "thinking";

/** The other words of a user are the prompt, which is known, and notes of the CLI to its model. */
const isResult = ({ type }: Block): boolean => type === "tool_result";

/** Signs of life that say nothing. */
const isNoise = (line: unknown): boolean => Noise.safeParse(line).success;
