/**
 * A scripted model on loopback that speaks the APIs of all our agents. It remembers nothing: what it knows is in the
 * request. It keeps every request, so that a test can count what really reached a model and look at how.
 */
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { completions } from "./completions.ts";
import { type Conversation, questionOf } from "./conversation.ts";
import { decide, isAside, type Reply } from "./decide.ts";
import { gemini } from "./gemini.ts";
import { messages } from "./messages.ts";
import { responses } from "./responses.ts";
import { type Answer, frameText, type Wire } from "./wire.ts";

/** A request as it came, and what was made of it. */
export interface Asked {
  api: string;
  path: string;
  body: unknown;
  conversation: Conversation;
  /** The prompt it answers to; null when it answers to the result of a tool, or to nobody. */
  prompt: string | null;
  /** Whether the agent asked on its own account: for a title, a summary. */
  aside: boolean;
  reply: Reply;
}

export interface Model extends AsyncDisposable {
  /** Without a path. */
  url: string;
  /** Everything it was asked for, oldest first. */
  asked: Asked[];
  /** Requests that it could not make sense of: a test that ends with one has not shown much. */
  strange: string[];
  /** Resolves with the first request that fits, in the past or to come. */
  until(fits: (asked: Asked) => boolean): Promise<Asked>;
}

export const startModel = async (): Promise<Model> => {
  const asked: Asked[] = [];
  const strange: string[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      // An agent that was ended while it asked has broken its request off.
      if (request.destroyed && !request.complete) return;
      strange.push(`${request.method} ${request.url}: ${String(error)}`);
      if (response.headersSent) response.destroy();
      else sendJson(response, 400, { error: { message: String(error) } });
    });
  });

  const serve = async (
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const path = new URL(request.url ?? "/", "http://model").pathname;
    const body: unknown =
      request.method === "POST" ? await json(request) : null;
    const wire = wires.find((wire) => wire.path.test(path));
    if (body !== null && wire !== undefined) {
      const conversation = wire.read(body, path);
      const reply = decide(conversation);
      const question = questionOf(conversation);
      asked.push({
        api: wire.name,
        path,
        body,
        conversation,
        prompt: question?.kind === "prompt" ? question.text : null,
        aside: isAside(conversation),
        reply,
      });
      for (const look of waiting) look();
      return answer(response, wire, reply, conversation.streams);
    }
    const count = /(count_tokens|:countTokens)$/.test(path);
    if (!count && request.method === "POST")
      strange.push(`${request.method} ${request.url}`);
    sendJson(response, count ? 200 : 404, count ? tokens : {});
  };

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    strange,
    until: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = asked.find(fits);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, "close");
    },
  };
};

const wires: readonly Wire[] = [messages, responses, completions, gemini];

/** In the words of both APIs that count. */
const tokens = { input_tokens: 11, totalTokens: 11 };

const answer = async (
  response: ServerResponse,
  wire: Wire,
  reply: Reply,
  streams: boolean,
): Promise<void> => {
  if (reply.kind === "quota") {
    const { headers, body } = wire.quota(reply.seconds);
    return sendJson(response, 429, body, headers);
  }
  if (!streams) return sendJson(response, 200, wire.document(reply));
  await stream(response, wire, reply);
};

const stream = async (
  response: ServerResponse,
  wire: Wire,
  reply: Answer,
): Promise<void> => {
  const { before, chunk, after } = wire.stream(reply);
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const frame of before) response.write(frameText(frame));
  if (reply.kind === "text")
    for (const text of reply.chunks) {
      // Whoever asked may be gone.
      if (response.destroyed) return;
      for (const frame of chunk(text)) response.write(frameText(frame));
      if (reply.everyMs > 0) await wait(reply.everyMs);
    }
  for (const frame of after) response.write(frameText(frame));
  response.end();
};

const sendJson = (
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, {
    "content-type": "application/json",
    ...headers,
  });
  response.end(JSON.stringify(body));
};
