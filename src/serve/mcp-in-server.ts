import { join } from "node:path";
import { connect } from "../client/client.ts";

type Answer = (request: Request) => Promise<Response>;

/** The MCP door of a server: a client of the server like any other, without a network between them. */
export const mcpInServer = (server: {
  fetch: (request: Request) => Response | Promise<Response>;
  /** The names that the server answers to. */
  hosts: ReadonlySet<string>;
  token: string;
  version: string;
  home: string;
  closing: AbortSignal;
}): Answer => {
  let door: Promise<Answer> | undefined;
  // Loaded when it is first needed: a server that nobody speaks MCP to starts without it.
  const open = (): Promise<Answer> =>
    (door ??= openDoor(server).catch((error: unknown) => {
      // The next call tries again.
      door = undefined;
      throw error;
    }));
  return async (request) => (await open())(request);
};

const openDoor = async ({
  fetch,
  hosts,
  token,
  version,
  home,
  closing,
}: Parameters<typeof mcpInServer>[0]): Promise<Answer> => {
  const { mcpOverHttp } = await import("../mcp/http.ts");
  const [host = "127.0.0.1"] = hosts;
  return mcpOverHttp({
    client: connect({
      url: `http://${host}`,
      token,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        request.headers.set("host", host);
        return fetch(request);
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
    calledBy: null,
    closing,
  });
};
