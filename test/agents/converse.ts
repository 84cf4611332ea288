/** A bare ACP agent for programs that misbehave: it answers what it is told to, line by line, and nothing checks what it says. */
import { createInterface } from "node:readline";
import * as z from "zod";

const Request = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  /** An answer has none. */
  method: z.string().optional(),
});

/** The answer to a request, or null to give none. */
type Answer = { result: unknown } | { error: unknown } | null;

export const SESSION_ID = "misbehaving";

export const converse = (
  answers: Record<string, () => Answer | Promise<Answer>>,
): void => {
  const all = { ...usual, ...answers };
  createInterface({ input: process.stdin }).on("line", (line) => {
    void respond(all, line);
  });
};

/** Writes one message of this agent. */
export const send = (message: object): void => {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
};

/** Sends a `session/update`. */
export const update = (update: object): void =>
  send({
    method: "session/update",
    params: { sessionId: SESSION_ID, update },
  });

export const say = (text: string): void =>
  update({
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text },
  });

const usual: Record<string, () => Answer> = {
  initialize: () => ({ result: { protocolVersion: 1, agentCapabilities: {} } }),
  "session/new": () => ({ result: { sessionId: SESSION_ID } }),
  "session/prompt": () => ({ result: { stopReason: "end_turn" } }),
};

const respond = async (
  answers: Record<string, () => Answer | Promise<Answer>>,
  line: string,
): Promise<void> => {
  const { id, method } = Request.parse(JSON.parse(line));
  if (id === undefined || method === undefined) return;
  const answer = answers[method];
  if (!answer)
    return send({ id, error: { code: -32601, message: "Method not found" } });
  const given = await answer();
  if (given !== null) send({ id, ...given });
};
