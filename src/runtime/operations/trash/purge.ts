/** A session in the trash is removed for good when somebody asks, not only when its time there is over. */
import { PurgedSession } from "../../../contract/api/checkpoint-route.ts";
import type { SessionId } from "../../../contract/base/id.ts";
import { NoDraft } from "../../../contract/event/draft.ts";
import { RepriseError } from "../../../contract/problem/problem.ts";
import type { Session } from "../../../contract/session/session.ts";
import { once } from "../../../journal/receipts.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import { isSessionGone } from "../../failures/session-gone.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { reached } from "../upkeep/at-places.ts";
import { notePurge } from "../upkeep/asked-purges.ts";
import { purge, type PurgeObstacle, whyNotPurged } from "../upkeep/purge.ts";

export const purgeOperations = (deps: OperationDeps) => ({
  purgeSession: (session: SessionId, key?: string) =>
    purgeSession(deps, session, key),
});

/** With a key, whoever finds no session any more after a draft was kept was cut off behind the end of it. */
const purgeSession = (
  deps: OperationDeps,
  session_id: SessionId,
  key: string | undefined,
): Promise<PurgedSession> =>
  once<null, null, PurgedSession>(deps, {
    scope: "purges",
    key,
    request: { session_id },
    draft: NoDraft,
    answer: PurgedSession,
    begin: async (keep) => {
      await requirePurgeable(deps, session_id);
      const { receipt } = keep(() => null);
      if (receipt !== undefined) await deps.receipts.put(receipt(null));
      return null;
    },
    finish: async () => {
      await carryOut(deps, session_id).catch((error: unknown) => {
        if (!isSessionGone(error)) throw error;
      });
      return { session_id };
    },
  });

const carryOut = async (deps: OperationDeps, id: SessionId): Promise<void> => {
  const { place } = await requirePurgeable(deps, id);
  // Nothing is noted for a place that does not answer: the session stays as it was.
  await reached(deps, place);
  const isGone = await purge(deps, id, {
    isDue: async ({ deleted_at }) => deleted_at !== null,
    begin: (session) => notePurge(deps.receipts, session),
  });
  if (isGone) return;
  await requirePurgeable(deps, id);
  throw new RepriseError(
    "wrong_state",
    "The session was not at rest. Nothing was removed: try again.",
  );
};

const requirePurgeable = async (
  deps: OperationDeps,
  id: SessionId,
): Promise<Session> => {
  const session = await deps.store.session(id);
  if (session === null)
    throw new RepriseError("session_not_found", `There is no session ${id}.`);
  if (session.deleted_at === null)
    throw new RepriseError(
      "wrong_state",
      "The session is not in the trash. Delete it first; then it can be deleted for good.",
    );
  const obstacle = await whyNotPurged(deps, session);
  if (obstacle === null) return session;
  throw new RepriseError("wrong_state", wordsOf(obstacle));
};

const wordsOf = (obstacle: PurgeObstacle): string => {
  switch (obstacle.kind) {
    case "busy":
      return "Its agent is still being stopped, or its directory is being brought back. Try again when that is over.";
    case "lent":
      return `The session ${obstacle.to} works in the directory that was made for this one, and would lose it. Delete that session for good first.`;
    default:
      return unreachable(obstacle);
  }
};
