import type { PermissionId, SessionId } from "../../contract/base/id.ts";
import { Permission } from "../../contract/agent/permission.ts";
import {
  type ProblemCode,
  RepriseError,
} from "../../contract/problem/problem.ts";
import type { EndRequest, ResumeRequest } from "../../contract/api/request.ts";
import { Session } from "../../contract/session/session.ts";
import type { ResumeReason } from "../../contract/agent/resume.ts";
import type { Lifecycle, State } from "../../session/state/state.ts";
import { viewOf } from "../../session/view/view.ts";
import { orDamaged } from "./damage.ts";
import type { OperationDeps } from "./operation-deps.ts";
import { rememberAsker } from "./remember-caller.ts";
import { askSession } from "./session-wish.ts";
import { hasStopped, settled } from "./settled.ts";
import { credentialsLabel } from "../../session/state/credentials-label.ts";

export const lifecycleOperations = (deps: OperationDeps) => ({
  resumeSession: (
    session: SessionId,
    request: ResumeRequest = {},
    key?: string,
  ) => resumeSession(deps, session, request, key),
  pauseSession: (session: SessionId, key?: string) =>
    pauseSession(deps, session, key),
  endSession: (session: SessionId, { outcome }: EndRequest, key?: string) =>
    endSession(deps, session, outcome, key),
  cancelTurn: (session: SessionId, key?: string) =>
    cancelTurn(deps, session, key),
  recoverSession: (session: SessionId, key?: string) =>
    recoverSession(deps, session, key),
  answerPermission: (
    session: SessionId,
    permission: PermissionId,
    option: string,
    key?: string,
  ) => answerPermission(deps, session, permission, option, key),
});

/** The turn ends when the agent says so: this answers once the wish is in the journal. */
const cancelTurn = (
  deps: OperationDeps,
  session: SessionId,
  key: string | undefined,
): Promise<Session> => {
  const wish = { type: "turn.cancel" } as const;
  return askSession(deps, {
    session,
    key,
    request: { operation: wish.type, wish },
    answer: Session,
    begin: (kept) => deps.engine.issue(session, wish, kept),
    finish: async () => viewOf(await deps.engine.state(session)),
  });
};

/** Answers when the last checkpoint is taken. The session has ended before that, so it is waited for no longer than one may take. */
const endSession = (
  deps: OperationDeps,
  session: SessionId,
  outcome: EndRequest["outcome"],
  key: string | undefined,
): Promise<Session> => {
  const wish = { type: "session.end", outcome, reason: "requested" } as const;
  return askSession(deps, {
    session,
    key,
    request: { operation: wish.type, wish },
    answer: Session,
    begin: (kept) => deps.engine.issue(session, wish, kept),
    finish: async () => {
      const deadline = AbortSignal.any([
        AbortSignal.timeout(deps.checkpointMs),
        deps.closing,
      ]);
      const state = await deps.engine
        .until(session, isCaptured, deadline)
        .catch((error: unknown) => {
          if (deadline.aborted) return deps.engine.state(session);
          throw error;
        });
      return viewOf(state);
    },
  });
};

const isCaptured = ({ checkpoints, execution }: State): boolean =>
  !checkpoints.enabled || (execution === null && checkpoints.due === null);

/** Brings the agent back and says how. Concurrent calls wait for the same one. */
const resumeSession = (
  deps: OperationDeps,
  session: SessionId,
  { caller_env, now, ...changes }: ResumeRequest,
  key: string | undefined,
): Promise<Session> => {
  const remember = () => rememberAsker(deps, session, caller_env);
  return withReason(
    askSession(deps, {
      session,
      key,
      request: { operation: "resume", ...changes, ...(now && { now }) },
      answer: Session,
      // Where the order to start it never arrived, it is given again with this environment.
      prepare: async () => {
        await deps.room.check();
        await remember();
      },
      begin: async (kept) => {
        const label = credentialsLabel(await remember());
        await deps.engine.issue(
          session,
          {
            type: "session.resume",
            trigger: "request",
            changes,
            ...(now && { now }),
            ...label,
          },
          kept,
        );
      },
      again: remember,
      finish: async () => {
        const state = await settled(
          deps,
          session,
          "Bringing the agent back",
          ({ lifecycle }) => lifecycle.name !== "STARTING",
        );
        if (state.lifecycle.name === "ERROR")
          throw resumeFailed(state.lifecycle);
        return viewOf(state);
      },
    }),
  );
};

const resumeFailed = ({
  message,
  restriction,
  code,
}: Extract<Lifecycle, { name: "ERROR" }>): RepriseError =>
  new RepriseError(
    restriction === undefined ? "resume_failed" : "restriction_not_held",
    message,
    {
      state: "ERROR",
      restriction,
      ...(code !== undefined && { reason: code }),
    },
  );

/** What keeps a resume from being decided at all is no refusal of the session; it gets the reason that status gives, too. */
const withReason = async <T>(resuming: Promise<T>): Promise<T> => {
  try {
    return await resuming;
  } catch (error) {
    if (!(error instanceof RepriseError)) throw error;
    const reason = reasons.get(error.code);
    if (reason === undefined) throw error;
    const { code, message, cause, state, damaged_from } = error;
    throw new RepriseError(code, message, {
      cause,
      reason,
      ...(state !== undefined && { state }),
      ...(damaged_from !== undefined && { damaged_from }),
    });
  }
};

const reasons: ReadonlyMap<ProblemCode, ResumeReason> = new Map([
  ["session_damaged", "damaged"],
  ["agentctl_unavailable", "agentctl_unavailable"],
  ["host_not_usable", "agentctl_unavailable"],
  ["wrong_fingerprint", "agentctl_unavailable"],
]);

/** Stops the agent; answers when nothing of it runs any more, and what it left is captured. */
const pauseSession = (
  deps: OperationDeps,
  session: SessionId,
  key: string | undefined,
): Promise<Session> =>
  askSession(deps, {
    session,
    key,
    request: { operation: "pause" },
    answer: Session,
    begin: (kept) =>
      deps.engine.issue(
        session,
        { type: "session.pause", reason: "paused" },
        kept,
      ),
    finish: async () =>
      viewOf(
        await settled(
          deps,
          session,
          "Pausing",
          (each) => hasStopped(each) && each.checkpoints.due === null,
        ),
      ),
  });

/** Compares and repairs: to do it again changes nothing. */
const recoverSession = (
  deps: OperationDeps,
  session: SessionId,
  key: string | undefined,
): Promise<Session> =>
  askSession(deps, {
    session,
    key,
    request: { operation: "recover" },
    answer: Session,
    begin: async () => undefined,
    finish: () =>
      orDamaged(
        deps,
        session,
        async () => viewOf(await deps.recovery.recover(session)),
        async () => {
          // What was read wrongly once may be sound: only then there is something to recover.
          await deps.store.inspect(session);
          return viewOf(await deps.recovery.recover(session));
        },
      ),
  });

const answerPermission = (
  deps: OperationDeps,
  session: SessionId,
  permission_id: PermissionId,
  option_id: string,
  key: string | undefined,
): Promise<Permission> => {
  const { engine, store } = deps;
  const stored = () => store.permission(session, permission_id);
  return askSession(deps, {
    session,
    key,
    request: { operation: "permit", permission_id, option_id },
    answer: Permission,
    begin: (kept) =>
      engine.exclusively(session, async () => ({
        command: {
          type: "permission.answer",
          permission_id,
          option_id,
          known: await stored(),
        },
        extras: kept,
        answer: () => undefined,
      })),
    finish: async () => {
      const answered = await stored();
      if (answered !== null) return answered;
      throw new Error(`${permission_id} was answered and is not there`);
    },
  });
};
