/** Lets sessions rest whose agent has had nothing to do for a while. The core decides whether they may. */
import { isIdle } from "../session/decide/lifecycle.ts";
import type { Engine } from "./engine.ts";
import type { Clock, Log } from "./ports.ts";
import type { Shelf } from "./shelf.ts";

const EVERY_MS = 5000;

export const watchIdle = (
  parts: { engine: Engine; shelf: Shelf; clock: Clock; log: Log },
  idleMinutes: number | null,
): { close(): void } => {
  if (idleMinutes === null) return { close: () => undefined };
  const { engine, shelf, clock, log } = parts;
  const idle_ms = idleMinutes * 60_000;
  const look = (): void => {
    const now = clock.now().toISOString();
    for (const state of shelf.values())
      if (isIdle(state, idle_ms, now))
        engine
          .issue(state.id, { type: "session.rest", idle_ms })
          .catch((error: unknown) =>
            log.error(
              { session_id: state.id, err: error },
              "could not pause an idle session",
            ),
          );
  };
  const timer = setInterval(look, Math.min(EVERY_MS, idle_ms));
  timer.unref();
  return { close: () => clearInterval(timer) };
};
