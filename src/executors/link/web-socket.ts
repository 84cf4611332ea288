import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import type { RepriseError } from "../../contract/problem/problem.ts";
import { unavailable } from "./unavailable.ts";

export interface SocketKind {
  path: string;
  /** Of the link that it belongs to. */
  key?: string;
  maxPayload: number;
}

/** The peer is our own program; a report that were refused for its size would be sent again for ever. */
export const LINK: SocketKind = { path: "/link", maxPayload: 0 };

/** What it means that somebody answers with this status instead of opening a link. */
export type Explain = (status: number | undefined) => RepriseError;

const unexplained: Explain = (status) =>
  unavailable(`agentctl does not open a link: ${reasonOf(status)}`);

/** A stream that reaches an agentctl, upgraded to its WebSocket. A refusal is a `RepriseError`, a lost stream another. */
export const upgraded = (
  stream: Duplex,
  token: string,
  { path, key, maxPayload }: SocketKind,
  explain: Explain = unexplained,
): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://agentctl${path}`, {
      // A path in a `ws+unix:` URL could hold no space and no colon; a stream can come from anywhere.
      createConnection: () => stream,
      headers: {
        authorization: `Bearer ${token}`,
        ...(key === undefined ? {} : { "reprise-link": key }),
      },
      perMessageDeflate: false,
      maxPayload,
      // A mask is for proxies on the way, and there are none. One of zeros costs nothing on either side.
      generateMask: (mask) => mask.fill(0),
    });
    socket.once("open", () => resolve(socket));
    // For as long as it lives: after `open` an error is followed by `close`, which says all there is to say.
    socket.on("error", reject);
    socket.once("unexpected-response", (_request, response) => {
      stream.destroy();
      reject(explain(response.statusCode));
    });
  });

const reasonOf = (status: number | undefined): string =>
  status === 401
    ? "it does not accept our token; was the file agentctl/token in the home replaced while it runs?"
    : `it answered with status ${status}`;
