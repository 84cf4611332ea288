import { once } from "node:events";
import { WebSocket } from "ws";
import * as z from "zod";
import { ServerUnreachable } from "../../../src/client/client.ts";
import {
  ProblemCode,
  RepriseError,
} from "../../../src/contract/problem/problem.ts";
import { Prompt } from "../../../src/contract/session/prompt.ts";
import type { Where } from "../witness/witness.ts";

const Answer = z.union([
  z.object({ result: Prompt }),
  z.object({ error: z.object({ code: ProblemCode, message: z.string() }) }),
]);

/** Gives a prompt over a WebSocket of its own. */
export const promptOverSocket = async (
  { url, token }: Where,
  session_id: string,
  text: string,
  idempotency_key: string,
  signal: AbortSignal,
): Promise<Prompt> => {
  const socket = new WebSocket(`${url.replace("http", "ws")}/api/ws`, {
    headers: { authorization: `Bearer ${token}` },
  });
  try {
    await once(socket, "open", { signal });
    const params = { session_id, text, idempotency_key };
    socket.send(JSON.stringify({ id: 1, method: "session.prompt", params }));
    const answer = await Promise.race([
      once(socket, "message", { signal }),
      once(socket, "close", { signal }).then(() => null),
    ]);
    if (answer === null) throw new ServerUnreachable(url, "it hung up", null);
    const parsed = Answer.parse(JSON.parse(String(answer[0])));
    if ("result" in parsed) return parsed.result;
    throw new RepriseError(parsed.error.code, parsed.error.message);
  } catch (error) {
    if (error instanceof RepriseError || signal.aborted) throw error;
    throw new ServerUnreachable(url, "no WebSocket", error);
  } finally {
    socket.on("error", () => undefined);
    socket.terminate();
  }
};
