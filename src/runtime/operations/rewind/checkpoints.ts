import {
  CheckpointId,
  type Diff,
} from "../../../contract/session/checkpoint.ts";
import type { Checkpoint } from "../../../contract/session/checkpoint.ts";
import type { SessionId } from "../../../contract/base/id.ts";
import { RepriseError } from "../../../contract/problem/problem.ts";
import type { DiffQuery } from "../../../contract/api/request.ts";
import {
  foundBy,
  isRestorable,
  leftBy,
  newestOnLine,
  type Restorable,
} from "../../../session/state/moment.ts";
import type { Created, State } from "../../../session/state/state.ts";
import { placeOf } from "../../../session/state/place.ts";
import { agentSessionOf } from "../../callers/agent-session.ts";
import { askPlace } from "../ask-place.ts";
import { requireSession } from "../damage.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { captured } from "../settled.ts";

export const checkpointOperations = (deps: OperationDeps) => ({
  listCheckpoints: async (session: SessionId) => {
    await requireSession(deps, session);
    return checkpointsOf(deps, session);
  },
  showDiff: (session: SessionId, query: DiffQuery) =>
    showDiff(deps, session, query),
});

export const checkpointsOf = async (
  { store }: Pick<OperationDeps, "store">,
  session: SessionId,
): Promise<Checkpoint[]> =>
  (await store.checkpoints(session)).map(({ data }) => data.checkpoint);

/** The one that was asked for: what a turn left, or one by its id. */
export const wantedCheckpoint = (
  checkpoints: readonly Checkpoint[],
  state: State,
  wanted: { turn?: number | undefined; checkpoint?: CheckpointId | undefined },
): Restorable => {
  const { turn, checkpoint } = wanted;
  if (checkpoint !== undefined) return byId(checkpoints, checkpoint);
  const found =
    turn === undefined
      ? newestOnLine(checkpoints, state)
      : leftBy(checkpoints, turn);
  if (found !== null) return found;
  throw notFound(
    turn === undefined
      ? "Nothing of this session was captured yet."
      : whyNotTurn(checkpoints, state.created, turn),
  );
};

const byId = (
  checkpoints: readonly Checkpoint[],
  id: CheckpointId,
): Restorable => {
  const found = checkpoints.find((each) => each.id === id);
  if (found === undefined) throw notFound(`The session has no ${id}.`);
  if (isRestorable(found)) return found;
  throw notFound(
    `${id} holds nothing: the workspace could not be captured (${found.reason ?? "nobody knows why"}).`,
  );
};

const whyNotTurn = (
  checkpoints: readonly Checkpoint[],
  { parent }: Pick<Created, "parent">,
  turn: number,
): string => {
  if (parent !== null && turn < parent.turn)
    return `The session was forked at turn ${parent.turn} of ${parent.session_id}, and its checkpoints begin there. Turn ${turn} is one of ${parent.session_id}: fork that one at turn ${turn} instead.`;
  const failed = checkpoints.findLast((each) => each.turn === turn);
  return failed === undefined
    ? `The session has no checkpoint of turn ${turn}.`
    : `What turn ${turn} left could not be captured (${failed.reason ?? "nobody knows why"}).`;
};

const notFound = (detail: string): RepriseError =>
  new RepriseError("checkpoint_not_found", detail);

/** Between two moments; one alone means what led to it, none what the newest turn did. */
const showDiff = async (
  deps: OperationDeps,
  session: SessionId,
  query: DiffQuery,
): Promise<Diff> => {
  await deps.held.requireHeard(session);
  const state = await captured(deps, session);
  const checkpoints = await checkpointsOf(deps, session);
  const { from, to } = endsOf(checkpoints, state, query);
  const place = await deps.places.obtainHeld(placeOf(state));
  const { cwd } = state.workspace;
  const { env } = await agentSessionOf(deps, state);
  const told = await askPlace(
    place.workspaces.diff({
      session_id: session,
      from: from?.tree ?? null,
      to: to === "now" ? { cwd, env } : to.tree,
      text: query.text,
    }),
  );
  return { from: from?.id ?? null, to: to === "now" ? to : to.id, ...told };
};

interface Ends {
  from: Restorable | null;
  to: Restorable | "now";
}

const endsOf = (
  checkpoints: readonly Checkpoint[],
  state: State,
  query: Pick<DiffQuery, "from" | "to">,
): Ends => {
  const { from, to } = query;
  if (from !== undefined && to !== undefined) {
    const first = momentOf(checkpoints, state, from);
    if (first === "now")
      throw new RepriseError(
        "invalid_request",
        "A diff may end now, but not begin now.",
      );
    return { from: first, to: momentOf(checkpoints, state, to) };
  }
  const only = from ?? to;
  const end =
    only === undefined
      ? wantedCheckpoint(checkpoints, state, {})
      : momentOf(checkpoints, state, only);
  return end === "now"
    ? { from: checkpoints.findLast(isRestorable) ?? null, to: end }
    : { from: foundBy(checkpoints, state.turns.rewinds, end), to: end };
};

const momentOf = (
  checkpoints: readonly Checkpoint[],
  state: State,
  text: string,
): Restorable | "now" => {
  if (text === "now") return text;
  return /^\d+$/.test(text)
    ? wantedCheckpoint(checkpoints, state, { turn: Number(text) })
    : wantedCheckpoint(checkpoints, state, {
        checkpoint: CheckpointId.parse(text),
      });
};
