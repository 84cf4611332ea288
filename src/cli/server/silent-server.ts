/**
 * Tells a server that is frozen from one that is busy, and says so instead of waiting without a word:
 *
 *     request ── no answer for a while ──► health, beside it ── answers: it is busy, look again later
 *                                              └─ silent ──► say so, once; look again later
 *                                                   └─ silent for long ──► whoever only reads gives up
 *
 * What changes something is never given up: a server that wakes up would do it all the same. A server may freeze in the
 * middle of an answer: each piece of it is waited for in the same way.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type Address, ServerUnreachable } from "../../client/client.ts";
import { routes } from "../../contract/api/route.ts";
import { ownServerAt } from "../../local/find-server.ts";
import { fetchWithoutTimeout } from "../../local/fetch-without-timeout.ts";
import { asCalled } from "../terminal/program.ts";
import type { World } from "../terminal/world.ts";

export interface SilenceTimes {
  /** How long a request, and then the time between two looks, may last before health is asked. */
  quietMs: number;
  /** How long health may take. */
  healthMs: number;
  /** So many looks in a row without an answer, and what only reads gives up. */
  looks: number;
}

const TIMES: SilenceTimes = { quietMs: 5000, healthMs: 5000, looks: 6 };

/** It takes connections, and answers nothing: not even that it is well. */
export class ServerSilent extends ServerUnreachable {
  readonly advice: string;
  constructor(url: string, { who, advice }: Words) {
    super(url, `${who} does not answer. It was waited for long enough.`);
    this.name = "ServerSilent";
    this.advice = advice;
  }
}

interface Words {
  who: string;
  advice: string;
}

type Around = Pick<World, "env" | "cwd" | "err" | "json" | "program">;

/** The same address; whoever asks there is told when nobody answers. */
export const noticingSilence = (
  address: Address,
  world: Around,
  times: SilenceTimes = TIMES,
): Address => {
  const ask = address.fetch ?? fetchWithoutTimeout;
  let isTold = false;
  const tell = ({ who, advice }: Words): void => {
    if (!isTold) write(world, `${who} does not answer. ${advice}`);
    isTold = true;
  };
  const watch = async (
    isReading: boolean,
    signal: AbortSignal,
  ): Promise<never> => {
    for (let silent = 0; ;) {
      await delay(times.quietMs, null, { signal });
      const isWell = await isAnswering(address, ask, times, signal);
      signal.throwIfAborted();
      silent = isWell ? 0 : silent + 1;
      if (isWell) continue;
      const words = await wordsFor(address, world);
      signal.throwIfAborted();
      tell(words);
      if (isReading && silent >= times.looks)
        throw new ServerSilent(address.url, words);
    }
  };
  return {
    ...address,
    fetch: async (input, init = {}) => {
      // Whoever brings a signal has a clock of its own: the feed, and who asks for health.
      if (init.signal) return ask(input, init);
      const request = new AbortController();
      const isReading = (init.method ?? "GET") === "GET";
      const watched = async <T>(answer: Promise<T>): Promise<T> => {
        const watching = new AbortController();
        try {
          return await Promise.race([
            answer,
            watch(isReading, watching.signal),
          ]);
        } catch (error) {
          // Nothing may go on in the background: the process would wait for it.
          request.abort();
          throw error;
        } finally {
          watching.abort();
        }
      };
      const { signal } = request;
      return watchedBody(
        await watched(ask(input, { ...init, signal })),
        watched,
      );
    },
  };
};

/** The same answer; whoever reads it waits for each piece of its body as `watched` does. */
const watchedBody = (
  response: Response,
  watched: <T>(answer: Promise<T>) => Promise<T>,
): Response => {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const reader = body.getReader();
  const pieces = new ReadableStream<Uint8Array>({
    pull: async (to) => {
      const { done, value } = await watched(reader.read());
      if (done) to.close();
      else to.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(pieces, { status, statusText, headers });
};

const isAnswering = async (
  { url }: Address,
  ask: typeof globalThis.fetch,
  { healthMs }: SilenceTimes,
  signal: AbortSignal,
): Promise<boolean> => {
  const limit = AbortSignal.timeout(healthMs);
  try {
    const response = await ask(new URL(routes.health.path, url), {
      signal: AbortSignal.any([signal, limit]),
    });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
};

const wordsFor = async (
  { url }: Address,
  world: Pick<World, "env" | "cwd">,
): Promise<Words> => {
  const own = await ownServerAt(url, world);
  return own === null
    ? {
        who: `The server at ${url}`,
        advice: "Look at the machine where it runs, and the network between.",
      }
    : {
        who: `The server (pid ${own.pid})`,
        advice:
          "`reprise doctor` looks into it; `reprise up --take-over` puts another in its place, and agents go on.",
      };
};

/** What may move in that line of the terminal is removed first. */
const write = ({ err, json, program }: Around, words: string): void => {
  if (json) return;
  err.write(
    `${err.isTerminal ? "\r\x1b[K" : ""}${err.palette.yellow("reprise:")} ${asCalled(words, program)}\n`,
  );
};
