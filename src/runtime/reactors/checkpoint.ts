/** Captures what a session works on. It goes on beside everything else; whatever comes of it is told to the session. */
import {
  type Capture,
  failedCapture,
} from "../../contract/session/checkpoint.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { isSuperseded } from "../../journal/superseded.ts";
import { within } from "../../kit/time/deadline.ts";
import { placeOf } from "../../session/state/place.ts";
import type { Intent } from "../../session/intend.ts";
import type { State } from "../../session/state/state.ts";
import { agentSessionOf } from "../callers/agent-session.ts";
import { isSessionGone } from "../failures/session-gone.ts";
import { isStorageTrouble } from "../failures/storage-trouble.ts";
import type { ReactorDeps } from "./reactor-deps.ts";

/** agentctl keeps the deadline itself, and is given a moment to say so. */
const GRACE_MS = 5000;
const AGAIN_MS = 1000;

type Wanted = Extract<Intent, { kind: "checkpoint" }>;

export const checkpoint = async (
  deps: ReactorDeps,
  state: State,
  wanted: Wanted,
): Promise<void> => {
  const { captures, log } = deps;
  captures.begin(state.id, placeOf(state), wanted, () =>
    captureAndTell(deps, state, wanted).catch((error: unknown) => {
      log.error(
        { session_id: state.id, err: error },
        "could not tell what came of a checkpoint",
      );
    }),
  );
};

const captureAndTell = async (
  deps: ReactorDeps,
  state: State,
  wanted: Wanted,
): Promise<void> => {
  const { engine, later, captures } = deps;
  try {
    if (wanted.of === "end" && (await isMissing(deps, state))) {
      await engine.issue(state.id, {
        type: "checkpoint.skip",
        kind: wanted.of,
        turn: wanted.turn,
        reason: "workspace_missing",
      });
      return;
    }
    const capture = await captureNow(deps, state);
    await engine.issue(state.id, {
      type: "checkpoint.report",
      kind: wanted.of,
      turn: wanted.turn,
      capture,
      token: state.agent.token,
      order: captures.nextOrder(),
    });
  } catch (error) {
    if (isSessionGone(error) || isSuperseded(error)) return;
    if (!isPassing(error)) throw error;
    later.after(AGAIN_MS, () => void checkpoint(deps, state, wanted));
  }
};

const isMissing = async (
  { places }: ReactorDeps,
  state: State,
): Promise<boolean> => {
  const place = await places.obtain(placeOf(state));
  return (await place.workspace(state.workspace.cwd)).kind === "missing";
};

/** agentctl is away, or the disk is full: both pass, and until then the session can do nothing else either. */
const isPassing = (error: unknown): boolean =>
  isStorageTrouble(error) ||
  (error instanceof RepriseError && error.code === "agentctl_unavailable");

const captureNow = async (
  deps: ReactorDeps,
  state: State,
): Promise<Capture> => {
  const { places, checkpointMs, maxCheckpointBytes } = deps;
  const began = performance.now();
  try {
    const place = await places.obtain(placeOf(state));
    return await within(
      "the checkpoint",
      checkpointMs + GRACE_MS,
      place.workspaces.checkpoint({
        session_id: state.id,
        cwd: state.workspace.cwd,
        worktree: state.workspace.worktree,
        agent: await agentSessionOf(deps, state),
        deadline_ms: checkpointMs,
        ...(maxCheckpointBytes && { most_bytes: maxCheckpointBytes }),
      }),
    );
  } catch (error) {
    if (isPassing(error)) throw error;
    return failedCapture(reasonOf(error), performance.now() - began);
  }
};

const reasonOf = (error: unknown): string => {
  if (error instanceof LinkError && error.code === "unknown_method")
    return "this agentctl is of a release that cannot";
  return error instanceof Error ? error.message : String(error);
};
