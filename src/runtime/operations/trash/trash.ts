import type { SessionId } from "../../../contract/base/id.ts";
import { Session } from "../../../contract/session/session.ts";
import { viewOf } from "../../../session/view/view.ts";
import { attachAgent } from "../attach-agent.ts";
import { deleteDamaged, orDamaged, undeleteDamaged } from "../damage.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { askSession } from "../session-wish.ts";
import { hasStopped, settled } from "../settled.ts";
import { endShells } from "../workspace/shells.ts";
import { shareWorkspace } from "../rewind/shares.ts";

export const trashOperations = (deps: OperationDeps) => ({
  deleteSession: (session: SessionId) => deleteSession(deps, session),
  undeleteSession: (session: SessionId, key?: string) =>
    undeleteSession(deps, session, key),
});

/** Answers when nothing of it runs any more. */
const deleteSession = async (
  deps: OperationDeps,
  session: SessionId,
): Promise<Session> => {
  return orDamaged(
    deps,
    session,
    async () => {
      await attachAgent(deps, "delete", session);
      await deps.engine.issue(session, { type: "session.delete" });
      const state = await settled(deps, session, "Deleting", hasStopped);
      endShells(deps, state);
      return viewOf(state);
    },
    (damaged) => deleteDamaged(deps, damaged),
  );
};

/** Others may have begun to work in its directory meanwhile. */
const undeleteSession = (
  deps: OperationDeps,
  session: SessionId,
  key: string | undefined,
): Promise<Session> => {
  const { engine } = deps;
  return askSession(deps, {
    session,
    key,
    request: { operation: "undelete" },
    answer: Session,
    begin: (kept) =>
      orDamaged<unknown>(
        deps,
        session,
        () => engine.issue(session, { type: "session.undelete" }, kept),
        (damaged) => undeleteDamaged(deps, damaged),
      ),
    finish: () =>
      orDamaged(
        deps,
        session,
        async () => {
          await shareWorkspace(deps, await engine.state(session));
          return viewOf(await engine.state(session));
        },
        (damaged) => damaged,
      ),
  });
};
