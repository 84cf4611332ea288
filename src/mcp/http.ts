/** MCP over streamable HTTP, as a function from `Request` to `Response`. Who may come in is decided before it. */
import {
  createMcpHandler,
  isJsonContentType,
  readRequestBody,
} from "@modelcontextprotocol/server";
import { MAX_BODY_BYTES } from "../contract/api/request.ts";
import { openDoor } from "./base/door.ts";
import type { McpParts } from "./base/parts.ts";
import { buildServer } from "./build-server.ts";
import { readMessage } from "./read-message.ts";

const KEEP_ALIVE_MS = 15_000;

export const mcpOverHttp = (parts: McpParts) => {
  const door = openDoor(parts);
  const handler = createMcpHandler((context) => buildServer(door, context), {
    // A stream tells its progress, and a proxy sees that it lives.
    responseMode: "sse",
    keepAliveMs: KEEP_ALIVE_MS,
    maxRequestBodySize: MAX_BODY_BYTES,
  });
  parts.closing.addEventListener("abort", () => void handler.close());
  return async (request: Request): Promise<Response> => {
    const type = request.headers.get("content-type");
    if (request.method !== "POST" || !isJsonContentType(type))
      return handler.fetch(request);
    const body = await readRequestBody(request, MAX_BODY_BYTES);
    if (body.tooLarge) return new Response(null, { status: 413 });
    const read = readMessage(body.text);
    switch (read.kind) {
      case "message":
        return handler.fetch(request, { parsedBody: read.message });
      case "refused":
        return Response.json(read.answer, { status: 400 });
      case "ignored":
        return new Response(null, { status: 202 });
    }
  };
};
