import type {
  Checkpoint,
  CheckpointId,
  GitState,
} from "../../contract/session/checkpoint.ts";
import type { EventDataOf } from "../../contract/event/event.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import type { LinkParams } from "../../contract/link/link.ts";
import { placeOf } from "../../session/state/place.ts";
import { gitOf, isMoved } from "../../session/state/moment.ts";
import type { State } from "../../session/state/state.ts";
import { agentSessionOf } from "../callers/agent-session.ts";
import { conflictWords } from "../failures/conflict-words.ts";
import type { Place } from "../ports/executors.ts";
import { problemOfRefusal } from "../failures/problem-of-refusal.ts";
import type { ReactorDeps } from "./reactor-deps.ts";
import { canUndoRewind } from "../../session/state/rewind.ts";

/** Brings the workspace back. Doing it twice is doing it once, so a lost answer is asked for again. */
export const rewind = async (
  deps: ReactorDeps,
  state: State,
): Promise<void> => {
  const { engine, places } = deps;
  const { rewinding, newest } = state.checkpoints;
  if (rewinding === null) return;
  const { tree, own, others, keep_besides } = rewinding;
  const giveUp = async (
    why: Omit<EventDataOf<"session.rewind.failed">, "turn">,
  ) => {
    await engine.issue(state.id, { type: "rewind.fail", ...why });
  };
  try {
    const place = await places.obtain(placeOf(state));
    const { last_ended_id } = state.executions_so_far;
    if (last_ended_id !== null) await place.clear(last_ended_id);
    const { env } = await agentSessionOf(deps, state);
    const target = await checkpointOf(deps, state, rewinding.checkpoint_id);
    const to = target && gitOf(state.workspace, target);
    const order = {
      session_id: state.id,
      cwd: state.workspace.cwd,
      env,
      tree,
      own: own === null ? null : [...own],
      others: [...others],
      worktree: state.workspace.worktree,
      moved: target !== undefined && isMoved(state.workspace, target),
      ...(to && { git: { to, from: gitBefore(state) } }),
      ...(keep_besides && { turns: [...keep_besides], keep_edits: true }),
    };
    const head = target?.git && { head: target.git };
    if (
      !canUndoRewind(state) &&
      (await wouldLose(place, { ...order, ...head }))
    )
      return await giveUp({
        code: "checkpoint_failed",
        message:
          "What is in the workspace could not be captured, and a rewind would lose it. Nothing was touched.",
      });
    await refuseCompany(deps, state);
    const captured = canUndoRewind(state) ? newest?.tree : null;
    const done = await place.workspaces.rewind({
      ...order,
      dry_run: false,
      ...(captured && { captured }),
    });
    if (done.conflicts.length > 0)
      return await giveUp({
        code: "rewind_conflict",
        message: conflictWords(done),
      });
    await engine.issue(state.id, {
      type: "rewind.done",
      changes: done.changes.length,
      ...(done.incomplete && { incomplete: done.incomplete }),
      ...(done.commit_missing && { commit_missing: true }),
    });
  } catch (error) {
    if (!(error instanceof LinkError) || error.code === "storage_full")
      throw error;
    const why = `The workspace could not be brought back: ${error.message.replace(/\.$/, "")}.`;
    const code = problemOfRefusal(error.code);
    const undo_id = canUndoRewind(state) ? newest?.id : undefined;
    await giveUp(
      undo_id === undefined
        ? { code, message: why }
        : {
            code,
            message: `${why} Some files may have been replaced: rewind to ${undo_id} to have what was there before.`,
            undo_id,
          },
    );
  }
};

/** All of the directory would go back, and with it what somebody does there who came after that was planned. */
const refuseCompany = async (
  { engine }: ReactorDeps,
  { id, workspace, checkpoints: { rewinding } }: State,
): Promise<void> => {
  const now = await engine.state(id);
  if (now.workspace.shared && rewinding?.own === null)
    throw new LinkError(
      "workspace_changing",
      `another session began to work in ${workspace.cwd} meanwhile`,
    );
};

const checkpointOf = async (
  { store }: ReactorDeps,
  state: State,
  id: CheckpointId,
): Promise<Checkpoint | undefined> =>
  (await store.checkpoints(state.id))
    .map(({ data: { checkpoint } }) => checkpoint)
    .find((checkpoint) => checkpoint.id === id);

/** What git has checked out, if that was captured for this rewind. */
const gitBefore = (state: State): GitState | null =>
  (canUndoRewind(state) ? state.checkpoints.newest?.git : null) ?? null;

/** Nothing can be lost where nothing is, nor where it is already what it shall be: we may have died after we did it. */
const wouldLose = async (
  place: Place,
  order: Omit<LinkParams<"rewind">, "dry_run">,
): Promise<boolean> => {
  if ((await place.workspace(order.cwd)).kind === "missing") return false;
  const plan = await place.workspaces.rewind({ ...order, dry_run: true });
  return plan.changes.length > 0 || plan.head?.moves === true;
};
