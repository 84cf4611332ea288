/** Has the workspace of a long turn captured on the way. The core decides whether it may be. */
import type { SessionId } from "../../contract/base/id.ts";
import { Unchanged } from "../../kit/data/unchanged.ts";
import { isUnsecured } from "../../session/decide/checkpoints.ts";
import type { State } from "../../session/state/state.ts";
import type { Engine, SessionShelf } from "../sessions/session-journal.ts";
import type { Log } from "../ports/home.ts";

const EVERY_MS = 5000;

export const watchLongTurns = (
  {
    engine,
    shelf,
    log,
  }: { engine: Pick<Engine, "issueIf">; shelf: SessionShelf; log: Log },
  afterMs: number,
): { close(): void } => {
  const unsecured = new Unchanged<SessionId>();
  const look = (): void => {
    const running = [...shelf.values()].filter(isUnsecured);
    for (const { id, checkpoints } of unsecured.since(
      afterMs,
      running,
      capture,
    ))
      engine
        .issueIf(
          id,
          (now) => now.checkpoints.secured_at === checkpoints.secured_at,
          {
            type: "checkpoint.secure",
          },
        )
        .catch((error: unknown) =>
          log.error(
            { session_id: id, err: error },
            "could not secure a long turn",
          ),
        );
  };
  const timer = setInterval(look, Math.min(EVERY_MS, afterMs));
  timer.unref();
  return { close: () => clearInterval(timer) };
};

const capture = ({ id, checkpoints }: State) => ({
  key: id,
  mark: checkpoints.secured_at,
});
