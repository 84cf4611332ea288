/** MCP over standard input and output: one connection, for as long as the client keeps it. */
import { finished } from "node:stream/promises";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { openDoor } from "./base/door.ts";
import type { McpParts } from "./base/parts.ts";
import { buildServer } from "./build-server.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** Resolves when the client has closed the connection, or it is to be closed. */
export const mcpOverStdio = async (parts: McpParts): Promise<void> => {
  const door = openDoor(parts);
  const serving = serveStdio((context) => buildServer(door, context), {
    transport: new StdioTransport(),
  });
  await connectionEnd(parts.closing);
  await serving.close();
  // What a call left to be done, like cancelling its turn, is done before we go.
  await Promise.all(door.background);
};

const connectionEnd = (closing: AbortSignal): Promise<void> =>
  finished(process.stdin, { writable: false, signal: closing }).catch(
    () => undefined,
  );
