/** What can be read of a session without a tool. */
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { RepriseError } from "../contract/problem/problem.ts";
import type { Door } from "./base/door.ts";
import { findSession } from "./base/find-session.ts";

export const serveResources = (server: McpServer, { client }: Door): void => {
  const serve = (
    what: "conversation" | "checkpoints",
    description: string,
    read: (id: string) => Promise<unknown>,
  ): void => {
    server.registerResource(
      what,
      new ResourceTemplate(`reprise://sessions/{id}/${what}`, {
        list: undefined,
      }),
      { description, mimeType: "application/json" },
      async (uri, { id }) => {
        try {
          const session = await findSession(client, String(id));
          const text = JSON.stringify(await read(session.id), null, 2);
          return {
            contents: [{ uri: uri.href, mimeType: "application/json", text }],
          };
        } catch (error) {
          if (!(error instanceof RepriseError)) throw error;
          throw new ProtocolError(
            ProtocolErrorCode.InvalidParams,
            error.message,
          );
        }
      },
    );
  };
  serve("conversation", "The newest messages of a session", (id) =>
    client.listMessages(id),
  );
  serve("checkpoints", "The checkpoints of a session", (id) =>
    client.listCheckpoints(id),
  );
};
