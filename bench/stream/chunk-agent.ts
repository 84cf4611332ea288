/**
 * A light ACP agent that says when it spoke: every chunk of its text is the machine's monotonic clock at the moment of
 * writing. A prompt like "every 50 ms, 200 chunks" says how it shall speak. It loads nothing, so that fifty of them
 * leave the machine to what is measured.
 */
import { writeSync } from "node:fs";

interface Request {
  id?: number | string;
  method?: string;
  params?: { sessionId?: string; prompt?: { text?: string }[] };
}

const send = (message: object): void => {
  writeSync(1, `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
};

const isRequest = (value: unknown): value is Request =>
  typeof value === "object" && value !== null;

const numbersIn = (text: string): number[] =>
  text.match(/\d+/g)?.map(Number) ?? [];

const speak = (request: Request): void => {
  const { sessionId, prompt = [] } = request.params ?? {};
  const [everyMs, chunks = 0] = numbersIn(prompt.at(-1)?.text ?? "");
  let left = chunks;
  const timer = setInterval(() => {
    left -= 1;
    if (left < 0) {
      clearInterval(timer);
      return send({ id: request.id, result: { stopReason: "end_turn" } });
    }
    const text = `@${process.hrtime.bigint()};`;
    const update = {
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text },
    };
    send({ method: "session/update", params: { sessionId, update } });
  }, everyMs);
};

const take = (request: Request): void => {
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
      return speak(request);
    default:
      if (id !== undefined)
        send({ id, error: { code: -32601, message: "no such method" } });
  }
};

let rest = "";
process.stdin.setEncoding("utf8").on("data", (text: string) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const request: unknown = JSON.parse(line);
    if (isRequest(request)) take(request);
  }
});
