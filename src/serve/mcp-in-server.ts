import { join } from "node:path";
import { connect } from "../client/client.ts";
import { mcpOverHttp } from "../mcp/http.ts";

/** The MCP door of a server: a client of the server like any other, without a network between them. */
export const mcpInServer = (server: {
  fetch: (request: Request) => Response | Promise<Response>;
  /** The names that the server answers to. */
  host: ReadonlySet<string>;
  token: string;
  version: string;
  home: string;
  closing: AbortSignal;
}): ((request: Request) => Promise<Response>) => {
  const { token, version, home, closing } = server;
  const [host = "127.0.0.1"] = server.host;
  return mcpOverHttp({
    client: connect({
      url: `http://${host}`,
      token,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        request.headers.set("host", host);
        return server.fetch(request);
      },
    }),
    version,
    // Whoever asks over HTTP may be anywhere.
    cwd: null,
    callerEnv: async () => ({}),
    sessionsDirectory: async () => join(home, "sessions"),
    stateKey: async () => token,
    onCancel: "detach",
    depth: 0,
    closing,
  });
};
