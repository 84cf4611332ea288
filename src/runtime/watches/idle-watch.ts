/** Lets sessions rest whose agent has had nothing to do for a while. The core decides whether they may. */
import type { SessionId } from "../../contract/base/id.ts";
import { Unchanged } from "../../kit/data/unchanged.ts";
import { isIdle } from "../../session/decide/lifecycle.ts";
import type { State } from "../../session/state/state.ts";
import type { Engine, SessionShelf } from "../sessions/session-journal.ts";
import type { Log } from "../ports/home.ts";

const EVERY_MS = 5000;

export const watchIdle = (
  {
    engine,
    shelf,
    log,
  }: { engine: Pick<Engine, "issueIf">; shelf: SessionShelf; log: Log },
  idleMinutes: number | null,
): { close(): void } => {
  if (idleMinutes === null) return { close: () => undefined };
  const idleMs = idleMinutes * 60_000;
  const idle = new Unchanged<SessionId>();
  const look = (): void => {
    const resting = [...shelf.values()].filter(isIdle);
    for (const { id, times } of idle.since(idleMs, resting, activity))
      engine
        .issueIf(
          id,
          (now) => now.times.last_active_at === times.last_active_at,
          {
            type: "session.rest",
          },
        )
        .catch((error: unknown) =>
          log.error(
            { session_id: id, err: error },
            "could not pause an idle session",
          ),
        );
  };
  const timer = setInterval(look, Math.min(EVERY_MS, idleMs));
  timer.unref();
  return { close: () => clearInterval(timer) };
};

const activity = ({ id, times }: State) => ({
  key: id,
  mark: times.last_active_at,
});
