/** Has the workspace of a long turn captured on the way. The core decides whether it is time. */
import { isUnsecured } from "../session/decide/checkpoints.ts";
import type { Engine } from "./engine.ts";
import type { Clock, Log } from "./ports.ts";
import type { Shelf } from "./shelf.ts";

const EVERY_MS = 5000;

export const watchLongTurns = (
  parts: { engine: Engine; shelf: Shelf; clock: Clock; log: Log },
  after_ms: number,
): { close(): void } => {
  const { engine, shelf, clock, log } = parts;
  const look = (): void => {
    const now = clock.now().toISOString();
    for (const state of shelf.values())
      if (isUnsecured(state, after_ms, now))
        engine
          .issue(state.id, { type: "checkpoint.secure", after_ms })
          .catch((error: unknown) =>
            log.error(
              { session_id: state.id, err: error },
              "could not secure a long turn",
            ),
          );
  };
  const timer = setInterval(look, Math.min(EVERY_MS, after_ms));
  timer.unref();
  return { close: () => clearInterval(timer) };
};
