/**
 * A light ACP agent that only speaks, as it is asked to: "every 50 ms, 200 chunks", or "every 4 ms, 200 chunks, 8 at once".
 * It loads nothing, so that fifty of them leave the machine to what is measured.
 */
import { writeSync } from "node:fs";

/** How often it speaks in a turn, and how much. */
export interface Manner {
  every_ms: number;
  chunks: number;
  /** So many are written without a pause; 1 unless it says otherwise. */
  at_once?: number;
}

export const words = ({ every_ms, chunks, at_once }: Manner): string =>
  `every ${every_ms} ms, ${chunks} chunks${at_once === undefined ? "" : `, ${at_once} at once`}`;

/** Speaks on stdin and stdout until it is ended. `chunk` makes the text of a chunk, from what is left to say in its turn. */
export const runLightAgent = (chunk: (left: number) => string): void => {
  let rest = "";
  process.stdin.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const request: unknown = JSON.parse(line);
      if (isRequest(request)) take(request, chunk);
    }
  });
};

interface Request {
  id?: number | string;
  method?: string;
  params?: { sessionId?: string; prompt?: { text?: string }[] };
}

const isRequest = (value: unknown): value is Request =>
  typeof value === "object" && value !== null;

const take = (request: Request, chunk: (left: number) => string): void => {
  const { id, method } = request;
  switch (method) {
    case "initialize":
      return send({
        id,
        result: { protocolVersion: 1, agentCapabilities: {} },
      });
    case "session/new":
      return send({ id, result: { sessionId: String(process.pid) } });
    case "session/prompt":
      return speak(request, chunk);
    default:
      if (id !== undefined)
        send({ id, error: { code: -32601, message: "no such method" } });
  }
};

const speak = (request: Request, chunk: (left: number) => string): void => {
  const { sessionId, prompt = [] } = request.params ?? {};
  const { every_ms, chunks, at_once = 1 } = mannerIn(prompt.at(-1)?.text ?? "");
  let left = chunks;
  const timer = setInterval(() => {
    for (let n = 0; n < at_once; n += 1) {
      left -= 1;
      if (left < 0) {
        clearInterval(timer);
        return send({ id: request.id, result: { stopReason: "end_turn" } });
      }
      const update = {
        sessionUpdate: "agent_message_chunk",
        content: { type: "text", text: chunk(left) },
      };
      send({ method: "session/update", params: { sessionId, update } });
    }
  }, every_ms);
};

const mannerIn = (text: string): Manner => {
  const [every_ms = 1, chunks = 0, at_once = 1] =
    text.match(/\d+/g)?.map(Number) ?? [];
  return { every_ms, chunks, at_once };
};

const send = (message: object): void => {
  writeSync(1, `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
};
