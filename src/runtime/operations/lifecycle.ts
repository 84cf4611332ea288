import type { PermissionId, SessionId } from "../../contract/id.ts";
import type { Permission } from "../../contract/permission.ts";
import { RepriseError } from "../../contract/problem.ts";
import type { EndRequest } from "../../contract/request.ts";
import type { Session } from "../../contract/session.ts";
import { viewOf } from "../../session/view.ts";
import { orDamaged } from "./damage.ts";
import type { House } from "./house.ts";
import { hasStopped, settled } from "./settled.ts";

export const lifecycleOperations = (house: House) => {
  const { engine, recovery } = house;
  return {
    resumeSession: (session: SessionId) => resumeSession(house, session),
    pauseSession: (session: SessionId) => pauseSession(house, session),
    endSession: async (session: SessionId, { outcome }: EndRequest) =>
      viewOf(
        await engine.issue(session, {
          type: "session.end",
          outcome,
          reason: "requested",
        }),
      ),
    cancelTurn: async (session: SessionId) =>
      viewOf(await engine.issue(session, { type: "turn.cancel" })),
    recoverSession: (session: SessionId) =>
      orDamaged(
        house,
        session,
        async () => viewOf(await recovery.recover(session)),
        async () => {
          // What was read wrongly once may be sound: only then there is something to recover.
          await house.store.inspect(session);
          return viewOf(await recovery.recover(session));
        },
      ),
    answerPermission: (
      session: SessionId,
      permission: PermissionId,
      option: string,
    ) => answerPermission(house, session, permission, option),
  };
};

/** Brings the agent back and says how. Concurrent calls wait for the same one. */
const resumeSession = async (
  house: House,
  session: SessionId,
): Promise<Session> => {
  await house.room.check();
  await house.recovery.touch(session);
  await house.engine.issue(session, {
    type: "session.resume",
    trigger: "request",
  });
  const state = await settled(
    house,
    session,
    "Bringing the agent back",
    ({ lifecycle }) => lifecycle.name !== "STARTING",
  );
  if (state.lifecycle.name === "ERROR")
    throw new RepriseError("resume_failed", state.lifecycle.message, {
      state: "ERROR",
    });
  return viewOf(state);
};

/** Stops the agent; answers when nothing of it runs any more, and what it left is captured. */
const pauseSession = async (
  house: House,
  session: SessionId,
): Promise<Session> => {
  await house.engine.issue(session, {
    type: "session.pause",
    reason: "paused",
  });
  const state = await settled(
    house,
    session,
    "Pausing",
    (each) => hasStopped(each) && each.due === null,
  );
  return viewOf(state);
};

const answerPermission = (
  { engine, store }: House,
  session: SessionId,
  permission_id: PermissionId,
  option_id: string,
): Promise<Permission> =>
  engine.exclusively(session, async (issue) => {
    const known = await store.permission(session, permission_id);
    await issue({
      type: "permission.answer",
      permission_id,
      option_id,
      known,
    });
    const answered = await store.permission(session, permission_id);
    if (answered !== null) return answered;
    throw new Error(`${permission_id} was answered and is not there`);
  });
