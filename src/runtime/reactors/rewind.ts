import { LinkError } from "../../contract/link-error.ts";
import type { State } from "../../session/state.ts";
import type { Means } from "./means.ts";

/** Brings the workspace back. Doing it twice is doing it once, so a lost answer is asked for again. */
export const rewind = async (means: Means, state: State): Promise<void> => {
  const { engine, places } = means;
  const { rewinding } = state;
  if (rewinding === null) return;
  const { tree, own, others } = rewinding;
  try {
    const place = await places.obtain(state.executor);
    if (state.last_execution_id !== null)
      await place.clear(state.last_execution_id);
    const { changes, conflicts } = await place.workspaces.rewind({
      session_id: state.id,
      cwd: state.cwd,
      tree,
      dry_run: false,
      own: own === null ? null : [...own],
      others: [...others],
    });
    await engine.issue(
      state.id,
      conflicts.length === 0
        ? { type: "rewind.done", changes: changes.length }
        : {
            type: "rewind.fail",
            code: "rewind_conflict",
            message: `Others changed ${conflicts.map(({ path }) => path).join(", ")} meanwhile. Nothing was touched.`,
          },
    );
  } catch (error) {
    if (!(error instanceof LinkError) || error.code === "storage_full")
      throw error;
    await engine.issue(state.id, {
      type: "rewind.fail",
      code: error.code,
      message: `The workspace could not be brought back: ${error.message}`,
    });
  }
};
