/** Pauses sessions whose agent has had nothing to do for a while: agents are what costs. */
import { elapsedMs } from "../kit/elapsed.ts";
import type { State } from "../session/state.ts";
import type { Engine } from "./engine.ts";
import type { Clock, Log } from "./ports.ts";
import type { Shelf } from "./shelf.ts";

const EVERY_MS = 5000;

export const isIdle = (state: State, now: string, idleMs: number): boolean =>
  state.lifecycle.name === "WAITING_FOR_INPUT" &&
  state.execution?.phase.kind === "ready" &&
  state.queue.length === 0 &&
  state.permissions.length === 0 &&
  elapsedMs(state.last_active_at, now) >= idleMs;

export const watchIdle = (
  parts: { engine: Engine; shelf: Shelf; clock: Clock; log: Log },
  idleMinutes: number | null,
): { close(): void } => {
  if (idleMinutes === null) return { close: () => undefined };
  const idleMs = idleMinutes * 60_000;
  const timer = setInterval(
    () => {
      const now = parts.clock.now().toISOString();
      for (const state of parts.shelf.values())
        if (isIdle(state, now, idleMs))
          parts.engine
            .issue(state.id, { type: "session.pause", reason: "idle" })
            .catch((error: unknown) =>
              parts.log.error(
                { session_id: state.id, err: error },
                "could not pause an idle session",
              ),
            );
    },
    Math.min(EVERY_MS, idleMs),
  );
  timer.unref();
  return { close: () => clearInterval(timer) };
};
