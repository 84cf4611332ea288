/** The server on top of a fake house, for tests: as a function, and on a real port. */
import type { Hono } from "hono";
import { Problem } from "../contract/problem.ts";
import type { Log } from "../runtime/ports/home.ts";
import { createApp } from "./app.ts";
import { createFakeHouse, type FakeHouse } from "./fake-operations.ts";
import { listen, type Listening, type Patience } from "./listen/listen.ts";
import type { Operations } from "./ask/operations.ts";
import { createSocket } from "./socket/socket.ts";

export const TOKEN = "t0ken-of-the-tests-0123456789-abcdefghijk";
export const HOST = "127.0.0.1:7420";

export interface Logged {
  level: "info" | "warn" | "error";
  facts: Record<string, unknown>;
  words: string;
}

export const createFakeLog = (): Log & { lines: Logged[] } => {
  const lines: Logged[] = [];
  const at = (level: Logged["level"]) => (facts: object, words: string) =>
    void lines.push({ level, facts: { ...facts }, words });
  return { lines, info: at("info"), warn: at("warn"), error: at("error") };
};

export interface FakeSite {
  app: Hono;
  house: FakeHouse;
  log: ReturnType<typeof createFakeLog>;
  closing: AbortController;
  /** A request that comes through the door, unless its headers say otherwise. */
  ask: (path: string, init?: RequestInit) => Promise<Response>;
  post: (path: string, body: unknown) => Promise<Response>;
}

export const createFakeSite = (instead: Partial<Operations> = {}): FakeSite => {
  const house = createFakeHouse();
  const log = createFakeLog();
  const closing = new AbortController();
  const app = createApp({
    operations: { ...house.operations, ...instead },
    token: TOKEN,
    version: "1.2.3",
    allowedHosts: new Set([HOST]),
    closing: closing.signal,
    log,
  });
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has("host")) headers.set("host", HOST);
    if (!headers.has("authorization"))
      headers.set("authorization", `Bearer ${TOKEN}`);
    return app.request(path, { ...init, headers });
  };
  const post = (path: string, body: unknown) =>
    ask(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  return { app, house, log, closing, ask, post };
};

export const problemIn = async (response: Response): Promise<Problem> =>
  Problem.parse(await response.json());

export interface ListeningSite extends Listening {
  house: FakeHouse;
  log: ReturnType<typeof createFakeLog>;
  [Symbol.asyncDispose](): Promise<void>;
}

export const listenFakeSite = async (
  instead: Partial<Operations> = {},
  {
    patience,
    ...socketTimes
  }: { pingMs?: number; stalledMs?: number; patience?: Patience } = {},
): Promise<ListeningSite> => {
  const house = createFakeHouse();
  const log = createFakeLog();
  const operations = { ...house.operations, ...instead };
  const listening = await listen({
    host: "127.0.0.1",
    port: 0,
    log,
    ...(patience === undefined ? {} : { patience }),
    build: (site) => {
      const parts = { ...site, operations, token: TOKEN, version: "1", log };
      return {
        app: createApp(parts),
        socket: createSocket({ ...parts, ...socketTimes }),
      };
    },
  });
  let closed: Promise<void> | undefined;
  const close = (graceMs?: number) => (closed ??= listening.close(graceMs));
  return {
    ...listening,
    close,
    house,
    log,
    [Symbol.asyncDispose]: () => close(1000),
  };
};
