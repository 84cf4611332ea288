import type { SessionId } from "../../contract/id.ts";
import { Session } from "../../contract/session.ts";
import { viewOf } from "../../session/view/view.ts";
import { deleteDamaged, orDamaged, undeleteDamaged } from "./damage.ts";
import type { House } from "./house.ts";
import { askSession } from "./session-wish.ts";
import { hasStopped, settled } from "./rewind/settled.ts";
import { shareWorkspace } from "./rewind/shares.ts";

export const trashOperations = (house: House) => ({
  deleteSession: (session: SessionId) => deleteSession(house, session),
  undeleteSession: (session: SessionId, key?: string) =>
    undeleteSession(house, session, key),
});

/** Answers when nothing of it runs any more. */
const deleteSession = async (
  house: House,
  session: SessionId,
): Promise<Session> => {
  return orDamaged(
    house,
    session,
    async () => {
      await house.engine.issue(session, { type: "session.delete" });
      return viewOf(await settled(house, session, "Deleting", hasStopped));
    },
    (damaged) => deleteDamaged(house, damaged),
  );
};

/** Others may have begun to work in its directory meanwhile. */
const undeleteSession = (
  house: House,
  session: SessionId,
  key: string | undefined,
): Promise<Session> => {
  const { engine } = house;
  return askSession(house, {
    session,
    key,
    request: { operation: "undelete" },
    answer: Session,
    begin: (kept) =>
      orDamaged<unknown>(
        house,
        session,
        () => engine.issue(session, { type: "session.undelete" }, kept),
        (damaged) => undeleteDamaged(house, damaged),
      ),
    finish: () =>
      orDamaged(
        house,
        session,
        async () => {
          await shareWorkspace(house, await engine.state(session));
          return viewOf(await engine.state(session));
        },
        (damaged) => damaged,
      ),
  });
};
