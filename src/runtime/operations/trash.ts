import type { SessionId } from "../../contract/id.ts";
import type { Session } from "../../contract/session.ts";
import { viewOf } from "../../session/view.ts";
import { deleteDamaged, orDamaged, undeleteDamaged } from "./damage.ts";
import type { House } from "./house.ts";
import { hasStopped, settled } from "./settled.ts";
import { shareWorkspace } from "./shares.ts";

export const trashOperations = (house: House) => ({
  deleteSession: (session: SessionId) => deleteSession(house, session),
  undeleteSession: (session: SessionId) => undeleteSession(house, session),
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
const undeleteSession = async (
  house: House,
  session: SessionId,
): Promise<Session> => {
  const { engine } = house;
  return orDamaged(
    house,
    session,
    async () => {
      await shareWorkspace(
        house,
        await engine.issue(session, { type: "session.undelete" }),
      );
      return viewOf(await engine.state(session));
    },
    (damaged) => undeleteDamaged(house, damaged),
  );
};
