import type { IncomingMessage, ServerResponse } from "node:http";
import { didNotRun } from "../../kit/time/running.ts";
import { routes } from "../../contract/api/route.ts";

type Incoming = Pick<
  IncomingMessage,
  "headers" | "method" | "url" | "complete"
> & {
  socket: Pick<IncomingMessage["socket"], "bytesRead"> & { destroy(): unknown };
  once(event: "end" | "close", listener: () => void): unknown;
};

/**
 * Cuts off whoever does not get a request across in time. A file may take as long as its bytes keep coming, and as long
 * as somebody wants them: once it is answered, the rest has no more time than any other request.
 */
export const limitRequest = (
  request: Incoming,
  response: Pick<ServerResponse, "writableEnded">,
  ms: number,
): void => {
  if (!hasBody(request)) return;
  const { socket } = request;
  let seen = socket.bytesRead;
  let since = performance.now();
  const judge = (): void => {
    const comesOn = isFile(request) && socket.bytesRead > seen;
    const mayGoOn =
      didNotRun(since, ms) || (comesOn && !response.writableEnded);
    seen = socket.bytesRead;
    since = performance.now();
    if (request.complete) stop();
    else if (!mayGoOn) socket.destroy();
  };
  // What has come is read first: the timer is late where the server itself did not run.
  const timer = setInterval(() => setImmediate(judge), ms).unref();
  const stop = (): void => clearInterval(timer);
  request.once("end", stop);
  request.once("close", stop);
};

const hasBody = ({ headers }: Pick<Incoming, "headers">): boolean =>
  headers["transfer-encoding"] !== undefined ||
  Number(headers["content-length"] ?? 0) > 0;

const isFile = ({ method, url }: Pick<Incoming, "method" | "url">): boolean =>
  (method === routes.importSession.method &&
    url?.split("?")[0] === routes.importSession.path) ||
  (method === routes.putFile.method && FILE.test(url ?? ""));

const FILE = /^\/api\/sessions\/[^/]+\/files\//;
