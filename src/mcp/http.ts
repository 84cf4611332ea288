/** MCP over streamable HTTP, as a function from `Request` to `Response`. Who may come in is decided before it. */
import { createMcpHandler } from "@modelcontextprotocol/server";
import { MAX_BODY_BYTES } from "../contract/api/request.ts";
import { openDoor } from "./base/door.ts";
import type { McpParts } from "./base/parts.ts";
import { buildServer } from "./build-server.ts";

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
  return (request: Request): Promise<Response> => handler.fetch(request);
};
