import type {
  EndedProcess,
  ExecRequest,
  ProcessPage,
} from "../../../contract/api/run-route.ts";
import type { SessionId } from "../../../contract/base/id.ts";
import { RepriseError } from "../../../contract/problem/problem.ts";
import { placeOf } from "../../../session/state/place.ts";
import { soundStateOf } from "../../sessions/sound-state.ts";
import { askPlace } from "../ask-place.ts";
import { requireSession } from "../damage.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { execCommand } from "./exec.ts";

/** Commands and processes in workspaces. */
export const runOperations = (deps: OperationDeps) => ({
  execCommand: (
    session: SessionId,
    request: ExecRequest,
    how: { key?: string | undefined; signal?: AbortSignal } = {},
  ) => execCommand(deps, session, request, how),

  listProcesses: async (session_id: SessionId): Promise<ProcessPage> => {
    const place = await placeFor(deps, session_id);
    const found =
      place === null
        ? { processes: [], truncated: false }
        : await askPlace(place.run.processes({ session_id }));
    return { ...found, next: null };
  },

  endProcess: async (
    session_id: SessionId,
    process_id: string,
  ): Promise<EndedProcess> => {
    const place = await placeFor(deps, session_id);
    if (place === null)
      throw new RepriseError(
        "process_not_found",
        "No agentctl runs here, and so nothing of this session does.",
      );
    await askPlace(place.run.end_process({ session_id, process_id }));
    return { id: process_id };
  },
});

/** No agentctl is started to look at a session at rest. One that has an execution needs its agentctl in any case. */
const placeFor = async (deps: OperationDeps, session: SessionId) => {
  await requireSession(deps, session);
  await deps.held.requireHeard(session);
  const state = await soundStateOf(deps, session);
  const at = placeOf(state);
  return state.execution === null
    ? deps.places.findHeld(at)
    : deps.places.obtainHeld(at);
};
