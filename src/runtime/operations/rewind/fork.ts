import type { Checkpoint } from "../../../contract/session/checkpoint.ts";
import { MadeSession } from "../../../contract/event/draft.ts";
import type { SessionId } from "../../../contract/base/id.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import type { Worktree } from "../../../contract/link/link-workspace.ts";
import type { ForkRequest } from "../../../contract/api/request.ts";
import { Session } from "../../../contract/session/session.ts";
import { viewOf } from "../../../session/view/view.ts";
import { copiedConversation } from "../../messages/copied-conversation.ts";
import { type Kept, once } from "../session-wish.ts";
import type { Place } from "../../ports/executors.ts";
import { askPlace } from "../ask-place.ts";
import { placeOfSession } from "../chosen-place.ts";
import { checkpointsOf, wantedCheckpoint } from "./checkpoints.ts";
import { discardUnused } from "../discard-unused.ts";
import { forgetFork, noteFork } from "./fork-notes.ts";
import { openTask } from "../open-task.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { forgetCreator, rememberCreator } from "../remember-caller.ts";
import { rememberedAt } from "./remembered.ts";
import { captured } from "../settled.ts";
import { isLocal } from "../../../contract/base/place.ts";
import { ownDirectory, ownDirectoryAt, worktreeFor } from "../workspace.ts";
import { turnsUpTo } from "../../../session/state/turns.ts";

export const forkOperations = (deps: OperationDeps) => ({
  forkSession: (session: SessionId, request: ForkRequest, key?: string) =>
    once(deps, {
      scope: session,
      key,
      request: { operation: "fork", ...request },
      draft: MadeSession,
      answer: Session,
      begin: async (keep) =>
        deps.captures.hold(await placeOfSession(deps, session), () =>
          fork(
            deps,
            session,
            request,
            keep(({ id }) => ({ id })),
          ),
        ),
      finish: async ({ id }) => viewOf(await deps.engine.state(id)),
    }),
});

/** A session that begins where another one was after a turn. Its directory is not there yet, so its first start makes it. */
const fork = async (
  deps: OperationDeps,
  session: SessionId,
  { name, ...wanted }: ForkRequest,
  kept: Kept,
): Promise<MadeSession> => {
  const { engine, ids, places, room, store } = deps;
  await room.check();
  const parent = await captured(deps, session);
  const checkpoints = await checkpointsOf(deps, session);
  const checkpoint = wantedCheckpoint(checkpoints, parent, wanted);
  const { memory } = await rememberedAt(store, parent, checkpoint);
  const line = new Set(turnsUpTo(parent, checkpoint.turn));
  const said = await copiedConversation(store, session, parent.seq, (turn) =>
    line.has(turn),
  );
  const secrets = { env: await store.env(session) };
  const session_id = ids.session();
  const { workspace } = parent;
  const worktree =
    workspace.worktree &&
    worktreeFor(deps, session_id, workspace.worktree.repository);
  const isMadeThere = isLocal(workspace.place) && worktree === null;
  const place = isMadeThere ? null : await places.obtain(workspace.place);
  if (place !== null && worktree !== null) {
    await noteFork(deps, session_id, worktree, workspace.place);
    await askPlace(keepCommits(place, session_id, worktree, checkpoint));
  }
  // Whoever forks a session asks for an agent like its own.
  const { definition } = parent.agent;
  const env = deps.callers.newest(session);
  const made = { id: session_id, agent: { definition }, workspace };
  rememberCreator(deps, made, env);
  const creating = engine.create(
    {
      session_id,
      task_id: await openTask(deps, parent.created.task_id),
      name: name ?? null,
      definition,
      abilities: parent.agent.abilities,
      place: workspace.place,
      cwd:
        place === null
          ? ownDirectory(deps, session_id)
          : ownDirectoryAt(deps, place, session_id),
      worktree,
      on_interrupt: parent.created.on_interrupt,
      ...(parent.created.on_quota !== null && {
        on_quota: parent.created.on_quota,
      }),
      parent: { session_id: session, turn: checkpoint.turn },
      origin: {
        checkpoint,
        memory,
        ...said,
        cut: parent.turns.cut.filter((turn) => line.has(turn)),
      },
      checkpoints: parent.checkpoints.enabled,
      // It may spend as much as its parent, and has spent nothing.
      ...(parent.budget.limits !== null && { budget: parent.budget.limits }),
      prompt: null,
    },
    { ...kept, secrets },
  );
  await creating.catch(async (error: unknown) => {
    await forgetCreator(deps, session_id);
    if (place !== null) await discardUnused(deps, place, session_id, worktree);
    throw error;
  });
  if (worktree !== null) await forgetFork(deps, session_id);
  return { id: session_id };
};

/** The session it came from may be purged before this one has a worktree, and its refs with it. */
const keepCommits = async (
  place: Place,
  session_id: SessionId,
  { repository }: Worktree,
  { git }: Checkpoint,
): Promise<void> => {
  if (git === undefined) return;
  const order = { session_id, repository, git };
  await place.workspaces.keep_commits(order).catch((error: unknown) => {
    // An agentctl of an older release keeps them when the fork starts.
    if (error instanceof LinkError && error.code === "unknown_method") return;
    throw error;
  });
};
