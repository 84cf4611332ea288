/**
 * Connects to the agentctl of a container, whatever is in between:
 *
 *   socket ──► link ──► as new as we are: done
 *     ▲ │ nobody  │ └──► older: let it retire ─────────┐
 *     │ ▼         ├──► silent: have the loop end it ───┤
 *     │ container └──► lost ───────────────────────────┤
 *     └──────────────────────────────────────────────--┘
 */
import type { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { LinkError } from "../../contract/link/link-error.ts";
import type { RepriseError } from "../../contract/problem/problem.ts";
import { backoff } from "../../kit/time/backoff.ts";
import type { Log } from "../../runtime/ports/home.ts";
import { attempts } from "../link/attempts.ts";
import { openLink, type Introduction, type Link } from "../link/link.ts";
import { letRetire } from "../link/retire.ts";
import { NobodyThere, type Reaching } from "../link/shared-place.ts";
import { unavailable } from "../link/unavailable.ts";
import { isNewer } from "../standalone/build.ts";
import { findContainer, runContainer } from "./container.ts";
import type { Wish } from "./container-spec.ts";
import { dialSocket } from "./dial.ts";
import { SOCKET } from "./directories.ts";
import type { Engine } from "./engine/engine.ts";
import { notUsable } from "./not-usable.ts";

export interface ReachOptions {
  engine: Engine;
  /** Of a place that is only looked for too. */
  wish: Wish;
  /** Sees to it that our build lies ready for containers; resolves with its name. */
  install: () => Promise<string>;
  /** Has the next agentctl start with our build. */
  choose: () => Promise<void>;
  introduction: Introduction;
  /** How long an agentctl may take to listen. */
  readyMs: number;
  log: Log;
}

/** After so many attempts it gives up. */
const MAX_ATTEMPTS = 8;

export const reachInContainer = async (
  options: ReachOptions,
  how: Reaching,
): Promise<Link> => {
  const { log, install, choose } = options;
  let retired = false;
  const reached = await attempts<Link>(
    MAX_ATTEMPTS,
    how.signal,
    async (attempt) => {
      const found = await tryOnce(options, how, attempt === 0);
      switch (found) {
        case "silent":
          await wake(options, how);
          return "again";
        case "lost":
        case "incompatible":
          return "later";
        default: {
          const { build } = found.hello;
          // Whoever is there serves us, also where we could start nobody.
          const own = await install().catch((error: unknown) => {
            log.warn({ err: error }, "agentctl could not be made ready");
            return build;
          });
          if (!isNewer(own, build) || retired) return found;
          log.info({ build, own }, "letting an older agentctl retire");
          retired = true;
          await choose();
          return (await letRetire(found)) ? "again" : found;
        }
      }
    },
  );
  if (reached !== null) return reached;
  throw unavailable(
    "agentctl was reached in the container and lost again and again; agentctl.log in the place's state says what it does",
  );
};

const tryOnce = async (
  options: ReachOptions,
  how: Reaching,
  isFirst: boolean,
): Promise<Link | "silent" | "lost" | "incompatible"> => {
  const socket =
    (await dialSocket(socketOf(options))) ?? (await run(options, how));
  const letGo = () => socket.destroy();
  if (how.signal.aborted) letGo();
  how.signal.addEventListener("abort", letGo);
  try {
    return await openLink(socket, options.introduction);
  } catch (error) {
    const incompatible =
      error instanceof LinkError && error.code === "incompatible_protocol";
    if (!incompatible) throw error;
    if (isFirst) return "incompatible";
    throw unavailable(
      `The agents in this container are looked after by an agentctl of another release, and this one cannot speak with it: ${error.message}. Start the server of that release, or wait until they have ended`,
      error,
    );
  } finally {
    how.signal.removeEventListener("abort", letGo);
  }
};

const socketOf = ({ wish }: ReachOptions): string =>
  join(wish.directories.link, SOCKET);

/** Nobody listens: sees to it that the container runs, and waits for its agentctl. */
const run = async (
  options: ReachOptions,
  { isNeeded, signal }: Reaching,
): Promise<Socket> => {
  const { engine, wish, choose } = options;
  const found = await findContainer(engine, wish);
  const runs = found?.State.Running === true && !found.State.Paused;
  if (!runs && !isNeeded()) throw new NobodyThere();
  if (runs && found !== null) return listening(options, found.Id, signal);
  await choose();
  return listening(options, await runContainer(engine, wish), signal);
};

const listening = async (
  options: ReachOptions,
  id: string,
  signal: AbortSignal,
): Promise<Socket> => {
  const { engine, wish, readyMs } = options;
  const until = performance.now() + readyMs;
  const over = new AbortController();
  // An engine that goes away meanwhile says nothing about its container.
  const stopped = engine
    .untilStopped(id, AbortSignal.any([signal, over.signal]))
    .then(
      () => "stopped" as const,
      () => new Promise<never>(() => {}),
    );
  try {
    for (let attempt = 0; performance.now() < until; attempt++) {
      const socket = await dialSocket(socketOf(options));
      if (socket !== null) return socket;
      const pause = delay(backoff(attempt, 5, 500), null, { signal });
      if ((await Promise.race([stopped, pause])) === "stopped")
        throw await whyStopped(engine, id, wish);
    }
    const words = await engine.lastWords(id);
    throw notUsable(
      `agentctl does not listen in the container in time. The engine has to run on this machine, and map no users${words && `. It said:\n${words}`}`,
    );
  } finally {
    over.abort();
  }
};

const whyStopped = async (
  engine: Engine,
  id: string,
  { image }: Wish,
): Promise<RepriseError> => {
  const state = (await engine.inspect(id))?.State;
  const words = (await engine.lastWords(id)) || state?.Error;
  const memory = state?.OOMKilled ? ", for want of memory" : "";
  return notUsable(
    `The container of ${image} ended at once, with code ${state?.ExitCode ?? "unknown"}${memory}${words ? `: ${words}` : ""}`,
  );
};

/** Who listens gives no sign of life: a container that is paused is continued, else its agentctl is ended. */
const wake = async (
  { engine, wish, log }: ReachOptions,
  { isNeeded }: Reaching,
): Promise<void> => {
  const found = await findContainer(engine, wish);
  if (found === null || !found.State.Running) return;
  if (!found.State.Paused) {
    log.warn(
      { container: found.Id },
      "agentctl in a container gave no sign of life; it is ended",
    );
    await engine.kill(found.Id, "SIGUSR1");
  } else if (isNeeded()) await engine.unpause(found.Id);
  else throw new NobodyThere();
};
