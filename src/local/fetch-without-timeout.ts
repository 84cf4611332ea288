/**
 * `fetch` without a time limit. Node's own gives up after five minutes without a byte of the answer, and a garbage collection
 * or the export of a large session may take longer. Whether the server is alive is found out beside the request, see
 * `silent-server.ts`.
 */
import * as http from "node:http";
import * as https from "node:https";
import { Readable } from "node:stream";

/** After so long without a byte the operating system asks whether the other machine is still there. */
const KEEP_ALIVE_MS = 60_000;

export const fetchWithoutTimeout: typeof globalThis.fetch = async (
  input,
  init,
) => {
  const asked = new Request(input, init);
  const { request } = asked.url.startsWith("https:") ? https : http;
  const outgoing = request(asked.url, {
    method: asked.method,
    // No connection is used again: the server may be closing it at this moment.
    agent: false,
    headers: { ...Object.fromEntries(asked.headers), ...lengthOf(init?.body) },
    ...(init?.signal && { signal: init.signal }),
  });
  outgoing.on("socket", (socket) => socket.setKeepAlive(true, KEEP_ALIVE_MS));
  const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve);
    // It stays: a server that has answered need not read the rest of the request.
    outgoing.on("error", reject);
  });
  if (asked.body === null) outgoing.end();
  else
    Readable.from(asked.body)
      .once("error", (error) => outgoing.destroy(error))
      .pipe(outgoing);
  try {
    const incoming = await answered;
    incoming.once("end", () => {
      if (!outgoing.writableFinished) outgoing.destroy();
    });
    return responseOf(incoming);
  } catch (error) {
    // In the form that `fetch` gives to it.
    throw new TypeError("fetch failed", { cause: error });
  }
};

/** Without it the body would be sent in chunks, and the server could not tell beforehand how much comes. */
const lengthOf = (
  body: BodyInit | null | undefined,
): { "content-length"?: number } => {
  if (body instanceof Blob) return { "content-length": body.size };
  if (typeof body === "string")
    return { "content-length": Buffer.byteLength(body) };
  return {};
};

const WITHOUT_BODY = [204, 205, 304];

const responseOf = (incoming: http.IncomingMessage): Response => {
  const { statusCode: status = 0, statusMessage: statusText = "" } = incoming;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(incoming.headersDistinct))
    for (const value of values) headers.append(name, value);
  if (!WITHOUT_BODY.includes(status))
    return new Response(bodyOf(incoming), { status, statusText, headers });
  incoming.resume();
  return new Response(null, { status, statusText, headers });
};

const bodyOf = (incoming: http.IncomingMessage): ReadableStream<Uint8Array> => {
  const pieces: AsyncIterator<Uint8Array<ArrayBuffer>, undefined> = incoming[
    Symbol.asyncIterator
  ]();
  return new ReadableStream({
    pull: async (to) => {
      const { done, value } = await pieces.next();
      if (done === true) to.close();
      else to.enqueue(value);
    },
    cancel: () => void incoming.destroy(),
  });
};
