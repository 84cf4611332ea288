/** Captures what a session works on. It goes on beside everything else; whatever comes of it is told to the session. */
import {
  type Capture,
  failedCapture,
} from "../../contract/session/checkpoint.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import { isSuperseded } from "../../journal/superseded.ts";
import { within } from "../../kit/time/deadline.ts";
import { placeOf } from "../../session/state/place.ts";
import type { Intent } from "../../session/intend.ts";
import type { State } from "../../session/state/state.ts";
import { agentSessionOf } from "../callers/agent-session.ts";
import { isLinkLost } from "../failures/link-lost.ts";
import { isStorageTrouble } from "../failures/storage-trouble.ts";
import { runBeside } from "./beside-intents.ts";
import type { ReactorDeps } from "./reactor-deps.ts";

/** agentctl keeps the deadline itself, and is given a moment to say so. */
const GRACE_MS = 5000;

type CheckpointIntent = Extract<Intent, { kind: "checkpoint" }>;

export const checkpoint = async (
  deps: ReactorDeps,
  state: State,
  intent: CheckpointIntent,
): Promise<void> =>
  deps.captures.begin(state.id, placeOf(state), intent, () =>
    runBeside(deps, {
      of: { session_id: state.id },
      failed: "could not tell what came of a checkpoint",
      run: () => captureAndTell(deps, state, intent),
      again: () => void checkpoint(deps, state, intent),
    }),
  );

const captureAndTell = async (
  deps: ReactorDeps,
  state: State,
  { of: kind, turn }: CheckpointIntent,
): Promise<void> => {
  const { engine, held, captures } = deps;
  if (kind === "end" && (await isMissing(deps, state))) {
    const reason = "workspace_missing";
    await engine.issue(state.id, {
      type: "checkpoint.skip",
      kind,
      turn,
      reason,
    });
    return;
  }
  const capture = await captureNow(deps, state, kind);
  const { term } = await held.claim(placeOf(state));
  await engine.issue(state.id, {
    type: "checkpoint.report",
    kind,
    turn,
    capture,
    token: state.agent.token,
    order: captures.nextOrder(term),
  });
};

const isMissing = async (
  { places }: ReactorDeps,
  state: State,
): Promise<boolean> => {
  const place = await places.obtain(placeOf(state));
  return (await place.workspace(state.workspace.cwd)).kind === "missing";
};

const captureNow = async (
  deps: ReactorDeps,
  state: State,
  kind: CheckpointIntent["of"],
): Promise<Capture> => {
  const { found } = state.checkpoints;
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
        // A turn is shown with what it changed.
        ...(kind === "turn" && found !== null && { since: found }),
      }),
    );
  } catch (error) {
    // agentctl is away, or the server's disk is full: that passes, and until then the session can do nothing else either.
    if (isLinkLost(error) || isStorageTrouble(error) || isSuperseded(error))
      throw error;
    return failedCapture(whyFailed(error), performance.now() - began);
  }
};

const whyFailed = (error: unknown): string => {
  if (error instanceof LinkError && error.code === "unknown_method")
    return "this agentctl is of a release that cannot";
  return error instanceof Error ? error.message : String(error);
};
