import type {
  HeadChange,
  RewindPlan,
} from "../../../contract/session/checkpoint.ts";
import { Rewound } from "../../../contract/api/checkpoint-route.ts";
import { BegunRewind } from "../../../contract/event/draft.ts";
import type { SessionId } from "../../../contract/base/id.ts";
import {
  ProblemCode,
  RepriseError,
} from "../../../contract/problem/problem.ts";
import type { RewindRequest } from "../../../contract/api/request.ts";
import type { LinkParams } from "../../../contract/link/link.ts";
import {
  gitOf,
  isMoved,
  isRestorable,
  type Restorable,
} from "../../../session/state/moment.ts";
import type { State } from "../../../session/state/state.ts";
import { leftByRewind, turnsSince } from "../../../session/view/window.ts";
import { viewOf } from "../../../session/view/view.ts";
import { placeOf } from "../../../session/state/place.ts";
import { agentSessionOf } from "../../callers/agent-session.ts";
import { conflictWords } from "../../failures/conflict-words.ts";
import { eventsOf } from "../../../journal/journal-reader.ts";
import { type Kept, once } from "../session-wish.ts";
import type { Sessions } from "../../sessions/session-journal.ts";
import { askPlace } from "../ask-place.ts";
import { attachAgent } from "../attach-agent.ts";
import { checkpointsOf, wantedCheckpoint } from "./checkpoints.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { rememberedAt } from "./remembered.ts";
import { captured, settled } from "../settled.ts";
import { type Shares, sharesOf, treesOf } from "./shares.ts";
import { seenOf } from "../../../session/state/rewind.ts";

export const rewindOperations = (deps: OperationDeps) => ({
  rewindSession: (session: SessionId, request: RewindRequest, key?: string) =>
    once(deps, {
      scope: session,
      key,
      request: { operation: "rewind", ...request },
      draft: BegunRewind,
      answer: Rewound,
      begin: (keep) => begin(deps, session, request, keep),
      again: () => deps.recovery.touch(session),
      finish: (begun) => finish(deps, session, begun),
    }),
});

/** Looks first: what others changed too is refused before anything is stopped. */
const begin = async (
  deps: OperationDeps,
  session: SessionId,
  { dry_run, edits = "undo", ...wanted }: RewindRequest,
  keep: (draftOf: (after: State) => BegunRewind) => Kept,
): Promise<BegunRewind> => {
  await attachAgent(deps, "rewind", session);
  const state = await captured(deps, session);
  const checkpoints = await checkpointsOf(deps, session);
  const target = wantedCheckpoint(checkpoints, state, wanted);
  const { conversation, memory } = await rememberedAt(
    deps.store,
    state,
    target,
  );
  const wish = {
    type: "session.rewind",
    seen: seenOf(state),
    turn: target.turn,
    checkpoint_id: target.id,
    tree: target.tree,
    memory,
  } as const;
  // A turn that runs is no turn of which nothing is known.
  if (!dry_run)
    await deps.engine.check(session, { ...wish, own: null, others: [] });
  const shares = await sharesOf(deps, state, checkpoints, target);
  const turns = turnsSince(checkpoints, state, target).map(treesOf);
  const besides = {
    turns,
    ...(target.git && { head: target.git }),
    ...(edits === "keep" && { keep_edits: true }),
  };
  const plan: RewindPlan = {
    turn: target.turn,
    checkpoint: target.id,
    conversation,
    ...(await preview(deps, state, target, { ...shares, ...besides })),
  };
  if (dry_run) return { plan, seq: null };
  const left = leftByRewind(checkpoints, target);
  if (edits === "refuse" && isPersonal(state, plan, left))
    throw new RepriseError("rewind_unconfirmed", UNCONFIRMED);
  if (plan.conflicts.length > 0)
    throw new RepriseError("rewind_conflict", conflictWords(plan));
  const { seq } = await deps.engine.issue(
    session,
    { ...wish, ...shares, ...(edits === "keep" && { keep_besides: turns }) },
    keep(({ seq }) => ({ plan, seq })),
  );
  return { plan, seq };
};

/** It would undo what a person did, or move HEAD of a repository that is not the session's own worktree. */
const isPersonal = (
  { workspace: { worktree } }: State,
  { edits = [], head }: RewindPlan,
  left: Restorable | null,
): boolean =>
  edits.length > 0 ||
  (worktree === null && head?.moves === true && !isAsLeft(head, left));

/** HEAD is where the rewind put it that is undone. */
const isAsLeft = ({ now }: HeadChange, left: Restorable | null): boolean =>
  left?.git !== undefined &&
  left.git.head === now.head &&
  left.git.branch === now.branch;

const UNCONFIRMED =
  "Since then somebody changed files between turns, or committed, and the rewind would undo that. Nothing was touched: look at it with dry_run, then say whether edits are undone or kept.";

const finish = async (
  deps: OperationDeps,
  session: SessionId,
  { plan, seq }: BegunRewind,
): Promise<Rewound> => {
  if (seq === null)
    return { ...plan, session: viewOf(await deps.engine.state(session)) };
  const after = await settled(
    deps,
    session,
    "Rewinding",
    ({ checkpoints: { rewinding, due } }) => rewinding === null && due === null,
  );
  await refuseFailed(deps, session, seq);
  const undo = await undoOf(deps, after, seq);
  return { ...plan, session: viewOf(after), ...(undo && { undo }) };
};

/** What this rewind captured before it touched anything, and what the agent would know after going back to that. */
const undoOf = async (
  deps: OperationDeps,
  state: State,
  since: number,
): Promise<Rewound["undo"]> => {
  const before = (await checkpointsOf(deps, state.id)).find(
    ({ kind, seq }) => kind === "rewind" && seq >= since,
  );
  if (before === undefined || !isRestorable(before)) return undefined;
  const { conversation } = await rememberedAt(deps.store, state, before);
  return { turn: before.turn, checkpoint: before.id, conversation };
};

const preview = async (
  deps: OperationDeps,
  state: State,
  target: Restorable,
  shares: Shares & Pick<LinkParams<"rewind">, "turns" | "keep_edits" | "head">,
) => {
  const place = await deps.places.obtain(placeOf(state));
  const { env } = await agentSessionOf(deps, state);
  const to = gitOf(state.workspace, target);
  return askPlace(
    place.workspaces.rewind({
      session_id: state.id,
      cwd: state.workspace.cwd,
      env,
      tree: target.tree,
      dry_run: true,
      ...shares,
      worktree: state.workspace.worktree,
      moved: isMoved(state.workspace, target),
      ...(to && { git: { to, from: null } }),
    }),
  );
};

/** What came of it stands in the journal. */
const refuseFailed = async (
  { store }: OperationDeps,
  session: SessionId,
  since: number,
): Promise<void> => {
  for await (const event of eventsOf<Sessions>(store, session, since)) {
    if (event.type === "session.rewound") return;
    if (event.type !== "session.rewind.failed") continue;
    const { code, message } = event.data;
    const known = ProblemCode.safeParse(code);
    throw new RepriseError(known.success ? known.data : "internal", message);
  }
};
