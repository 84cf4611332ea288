/** A WebSocket client for tests, which keeps what it receives in order. */
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { type ClientOptions, WebSocket } from "ws";
import * as z from "zod";
import { Problem } from "../contract/problem.ts";
import { type ListeningSite, TOKEN } from "./fake-site.ts";

const Received = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  result: z.unknown().optional(),
  error: Problem.omit({ type: true, title: true, status: true, detail: true })
    .extend({ message: z.string() })
    .optional(),
  seq: z.number().optional(),
  session_id: z.string().optional(),
});
export type Received = z.infer<typeof Received>;

export interface FakeClient {
  ws: WebSocket;
  received: Received[];
  send(frame: unknown): void;
  /** Sends a request and waits for its answer. */
  call(method: string, params: unknown): Promise<Received>;
  /** Waits until what was received satisfies. */
  until(satisfied: (received: Received[]) => boolean): Promise<void>;
  seqs(session?: string): number[];
}

export const address = (site: ListeningSite): string =>
  `ws://127.0.0.1:${site.port}/api/ws`;

export const connectClient = async (
  site: ListeningSite,
  options: ClientOptions = {},
): Promise<FakeClient> => {
  const ws = new WebSocket(address(site), {
    headers: { authorization: `Bearer ${TOKEN}` },
    ...options,
  });
  const received: Received[] = [];
  ws.on("message", (data: Buffer) => {
    received.push(Received.parse(JSON.parse(data.toString())));
    ws.emit("received");
  });
  await once(ws, "open");

  let requests = 0;
  const send = (frame: unknown): void => {
    ws.send(
      typeof frame === "string" || frame instanceof Buffer
        ? frame
        : JSON.stringify(frame),
    );
  };
  const until: FakeClient["until"] = async (satisfied) => {
    while (!satisfied(received)) await once(ws, "received");
  };
  return {
    ws,
    received,
    send,
    until,
    async call(method, params) {
      const id = `r${++requests}`;
      send({ id, method, params });
      await until((all) => all.some((one) => one.id === id));
      return Received.parse(received.find((one) => one.id === id));
    },
    seqs: (session) =>
      received.flatMap((one) =>
        one.seq !== undefined && (session ?? one.session_id) === one.session_id
          ? [one.seq]
          : [],
      ),
  };
};

/** What the server answers to an upgrade it refuses. */
export const refusedUpgrade = async (
  url: string,
  options: ClientOptions,
  protocols: string[] = [],
): Promise<{ status: number; code: string }> => {
  const ws = new WebSocket(url, protocols, options);
  ws.on("error", () => {});
  const response = await new Promise<IncomingMessage>((resolve) => {
    ws.on("unexpected-response", (_, answer) => resolve(answer));
  });
  const { code } = Problem.parse(JSON.parse(await text(response)));
  return { status: response.statusCode ?? 0, code };
};
