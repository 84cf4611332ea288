/**
 * One daemon per home. Whoever needs it and finds nobody listening starts one; the daemon's own lock decides who stays:
 *
 *   connect ──► somebody listens: done
 *      │ nobody
 *      ▼
 *   spawn ──► it listens: done · another holds the home: connect or spawn again · it was killed: spawn again, a few times
 *         └─► it gave up: say what it said
 *
 * Who holds the home and does not listen for all that time is frozen: it listens right after it has the lock.
 */
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { RepriseError } from "../../contract/problem/problem.ts";
import { backoff } from "../../kit/time/backoff.ts";
import { hasErrno } from "../../kit/errno.ts";
import { unavailable } from "../link/unavailable.ts";
import type { SpawnedDaemon } from "./spawn-daemon.ts";

/** The exit code of a daemon that found another one holding the home. */
const HELD_BY_ANOTHER = 3;

/** Being killed is an accident; being killed every time is not. */
const MAX_KILLED = 4;

/** A connection to the home's daemon, which is started when nobody listens; `held` when one has the home and never listens. */
export const reachDaemon = async (
  socketPath: string,
  start: () => Promise<SpawnedDaemon>,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<Socket | "held"> => {
  const until = performance.now() + deadlineMs;
  let daemon: SpawnedDaemon | null = null;
  let held = false;
  let killed = 0;
  for (let attempt = 0; ; attempt++) {
    const socket = await connected(socketPath);
    if (socket !== null) return socket;
    if (performance.now() > until) {
      if (held) return "held";
      throw daemonFailed("does not listen in time", await daemon?.lastWords());
    }
    daemon ??= await start();
    const pause = delay(backoff(attempt, 5, 1000), null, { signal });
    const ended = await Promise.race([daemon.ended, pause]);
    if (ended === null) continue;
    const isAccident = ended.signal !== null && ++killed < MAX_KILLED;
    if (ended.code === HELD_BY_ANOTHER) held = true;
    else if (!isAccident)
      throw daemonFailed(ended.words, await daemon.lastWords());
    daemon = null;
    await pause;
  }
};

/** ECONNRESET: it died before it accepted. EAGAIN: it listens, and has not accepted anyone for long. */
const NOBODY = ["ENOENT", "ECONNREFUSED", "ECONNRESET", "EAGAIN"] as const;

/** Null when nobody listens there. */
export const connected = (path: string): Promise<Socket | null> =>
  new Promise((resolve, reject) => {
    const socket = connect({ path });
    socket.once("connect", () => resolve(socket));
    // It stays: between here and its user a socket must not bring the process down.
    socket.on("error", (error) => {
      if (hasErrno(error, ...NOBODY)) return resolve(null);
      reject(daemonFailed(`cannot be reached at ${path}: ${error.message}`));
    });
  });

const daemonFailed = (what: string, words?: string): RepriseError =>
  unavailable(`agentctl ${what}${words ? `. It said:\n${words}` : ""}`);
