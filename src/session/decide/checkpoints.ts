/** Capturing what a session works on: when it is due, and what came of it. */
import type { Capture, Checkpoint } from "../../contract/session/checkpoint.ts";
import { checkpointId } from "../../contract/session/checkpoint.ts";
import type { Command } from "../state/command.ts";
import type { State } from "../state/state.ts";
import type { Decision } from "./decision.ts";
import type { Draft } from "./draft.ts";
import { startNextTurn } from "./start.ts";
import { lastTurnOnLine } from "../state/turns.ts";

export const share = (
  draft: Draft,
  command: Extract<Command, { type: "workspace.share" }>,
): Decision => {
  if (!draft.state.workspace.shared)
    draft.emit({
      type: "session.workspace.shared",
      data: { with: command.with },
    });
  return draft.done();
};

/** A turn that goes on and on is captured on the way: a dead machine then costs minutes, not hours. */
export const secure = (draft: Draft): Decision => {
  if (isUnsecured(draft.state))
    draft.emit({
      type: "session.checkpoint.requested",
      data: { kind: "safety", turn: draft.state.turns.last },
    });
  return draft.done();
};

export const isUnsecured = ({ lifecycle, checkpoints }: State): boolean =>
  lifecycle.name === "RUNNING" &&
  checkpoints.enabled &&
  checkpoints.due === null;

/** Nobody goes on with a session that has ended: what is there when its agent is gone is captured, unless that is due anyway. */
export const secureLast = (draft: Draft): void => {
  const { checkpoints, execution, deleted_at, turns } = draft.state;
  const { enabled, due } = checkpoints;
  if (!enabled || due !== null || execution !== null) return;
  if (deleted_at === null)
    draft.emit({
      type: "session.checkpoint.requested",
      data: { kind: "end", turn: lastTurnOnLine(turns) },
    });
};

export const skip = (
  draft: Draft,
  { kind, turn, reason }: Extract<Command, { type: "checkpoint.skip" }>,
): Decision => {
  const { due } = draft.state.checkpoints;
  if (due?.kind !== kind || due.turn !== turn) return draft.done();
  draft.emit({
    type: "session.checkpoint.skipped",
    data: { kind, turn, reason, checkpoint_id: null },
  });
  startNextTurn(draft, kind === "start");
  return draft.done();
};

/** The turn's events, its tree and the agent's files become one fact. Whatever came of it, the next prompt goes on. */
export const captureTold = (
  draft: Draft,
  {
    kind,
    turn,
    capture,
    token,
    order,
  }: Extract<Command, { type: "checkpoint.report" }>,
): Decision => {
  const { workspace, checkpoints, agent, seq } = draft.state;
  const { due, newest, failure } = checkpoints;
  const { shared, cwd } = workspace;
  if (due?.kind !== kind || due.turn !== turn) return draft.done();
  if (isSkipped(kind, shared) && isKept(newest, capture)) {
    draft.emit({
      type: "session.checkpoint.skipped",
      data: { kind, turn, reason: "unchanged", checkpoint_id: newest.id },
    });
    if (kind === "start") startNextTurn(draft, true);
    return draft.done();
  }
  const checkpoint: Checkpoint = {
    id: checkpointId(draft.nextSeq),
    turn,
    kind,
    ...capture,
    shared,
    seq,
    agent: agent.definition.agent,
    ...memoryIn(draft.state, capture, token),
    cwd,
    at: draft.at,
    ...(order !== undefined && { order }),
  };
  draft.emit({
    type: `session.checkpoint.${capture.outcome}`,
    data: { checkpoint },
  });
  const isNews =
    kind === "end" ||
    capture.outcome !== "failed" ||
    capture.reason !== failure;
  if (isNews) warn(draft, checkpoint);
  // In a shared directory, every turn has a checkpoint of its own beginning.
  startNextTurn(draft, kind === "start" || !shared);
  return draft.done();
};

/** After a rewind the agent has no files until it starts again: what it will be given then belongs to what is there. */
const memoryIn = (
  { agent: { memory, last_message_id }, workspace }: State,
  { agent_state }: Capture,
  token: string | null,
): Pick<Checkpoint, "agent_state" | "token" | "last_message_id"> => {
  if (agent_state !== null)
    return {
      agent_state,
      token,
      ...(last_message_id !== null && { last_message_id }),
    };
  if (memory === null || memory.cwd !== workspace.cwd)
    return { agent_state: null, token: null };
  return {
    agent_state: memory.tree,
    token: memory.token,
    ...(memory.last_message_id !== undefined && {
      last_message_id: memory.last_message_id,
    }),
  };
};

/** In a shared directory every turn has a checkpoint of its own beginning. */
const isSkipped = (kind: Checkpoint["kind"], shared: boolean): boolean =>
  kind === "end" || (kind === "start" && !shared);

/** The newest checkpoint has the same. A commit alone leaves the files as they are. */
const isKept = (
  newest: Checkpoint | null,
  { tree, outcome, git }: Capture,
): newest is Checkpoint =>
  newest !== null &&
  newest.tree === tree &&
  newest.outcome === outcome &&
  isSameGit(newest.git, git);

const isSameGit = (a: Capture["git"], b: Capture["git"]): boolean =>
  a?.head === b?.head &&
  a?.branch === b?.branch &&
  a?.index === b?.index &&
  a?.own?.tip === b?.own?.tip;

const warn = (draft: Draft, { outcome, ...capture }: Checkpoint): void => {
  if (outcome === "failed")
    return draft.notice(
      "warning",
      "checkpoint_failed",
      `The workspace could not be captured: ${capture.reason ?? "nobody knows why"}. ${
        capture.kind === "end"
          ? "The session has ended; what changed since the checkpoint before is only in its directory."
          : "The session goes on; the next checkpoint is tried after the next turn."
      }`,
    );
  const missing = [
    ...capture.unstable.map((path) => `${path} (kept changing)`),
    ...capture.unreadable.map((path) => `${path} (cannot be read)`),
  ];
  if (missing.length > 0)
    draft.notice(
      "warning",
      "checkpoint_partial",
      `The checkpoint lacks ${count(missing.length, "file")}: ${missing.slice(0, 5).join(", ")}${missing.length > 5 ? ", …" : ""}.`,
    );
};

const count = (n: number, what: string): string =>
  n === 1 ? `1 ${what}` : `${n} ${what}s`;
