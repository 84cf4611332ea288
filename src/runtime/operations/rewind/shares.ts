/** Directories in which several sessions work: who they are, and what each of them did there. */
import type { Checkpoint } from "../../../contract/session/checkpoint.ts";
import type { SessionId } from "../../../contract/base/id.ts";
import type { Directory } from "../../../contract/base/place.ts";
import { RepriseError } from "../../../contract/problem/problem.ts";
import type { Session } from "../../../contract/session/session.ts";
import { isTerminal, StateName } from "../../../contract/session/state.ts";
import { isInside } from "../../../kit/files/is-inside.ts";
import type { Restorable } from "../../../session/state/moment.ts";
import type { State } from "../../../session/state/state.ts";
import {
  allWindows,
  overlapping,
  type OwnWindows,
  type Window,
  windowsSince,
} from "../../../session/view/window.ts";
import { allSessions } from "../../sessions/all-sessions.ts";
import { isSessionDamaged } from "../../failures/session-damaged.ts";
import { checkpointsOf } from "./checkpoints.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { madeBeside } from "../workspace.ts";

export const LIVE = StateName.options.filter((state) => !isTerminal(state));

/** Sessions in the same directory, or one inside the other, learn of each other: their turns are told apart from then on. */
export const shareWorkspace = async (
  { store, engine }: Pick<OperationDeps, "store" | "engine">,
  state: State,
): Promise<void> => {
  const { id, checkpoints } = state;
  const others: Session[] = [];
  const near = directoryOf(state);
  for await (const session of allSessions(store, { states: LIVE, near }))
    if (session.id !== id && session.damaged_from === null)
      others.push(session);
  const [first] = others;
  if (first === undefined) return;
  const share = (session: SessionId, other: SessionId) =>
    engine.issue(session, { type: "workspace.share", with: other });
  if (checkpoints.enabled) await share(id, first.id);
  for (const other of others)
    if (other.checkpoints)
      await share(other.id, id).catch((error: unknown) => {
        // Nothing can be told to a damaged one, which must not keep others from working there.
        if (!isSessionDamaged(error)) throw error;
      });
};

export interface Shares {
  /** Null where nobody else works: then everything is brought back. */
  own: { from: string; to: string }[] | null;
  others: { from: string; to: string }[];
}

/** What a rewind may undo in a shared directory, and what others did there meanwhile. */
export const sharesOf = async (
  deps: Pick<OperationDeps, "store" | "engine" | "workspaces">,
  state: State,
  checkpoints: readonly Checkpoint[],
  target: Restorable,
): Promise<Shares> => {
  const neighbours = await neighboursOf(deps, state);
  const inside = neighbours.filter((other) => !isApart(deps, state, other));
  if (!state.workspace.shared) {
    if (!inside.some((other) => isActiveSince(other, target.at)))
      return { own: null, others: [] };
    // A server that died meanwhile did not tell them of each other.
    await shareWorkspace(deps, state);
  }
  const own = sureWindows(windowsSince(checkpoints, state, target), inside);
  switch (own.kind) {
    case "left_behind":
      throw new RepriseError(
        "not_supported",
        `Turn ${target.turn} was left behind by a rewind, and others work in ${state.workspace.cwd} too: what would have to be undone cannot be told from what they did. Fork the session at that turn instead.`,
      );
    case "unknown":
      if (isInProgress(state, own.turn))
        throw new RepriseError(
          "wrong_state",
          `Turn ${own.turn} is in progress, and others work in ${state.workspace.cwd} too: what it does is known when it has ended. Wait until then, or pause the session first.`,
          { state: state.lifecycle.name },
        );
      throw new RepriseError(
        "checkpoint_not_found",
        `What turn ${own.turn} did was not captured, and others work in ${state.workspace.cwd} too: it cannot be told from what they did. Fork the session instead.`,
      );
    case "unknown_rewind":
      throw new RepriseError(
        "checkpoint_not_found",
        `What the rewind after ${target.id} left was not captured, and others work in ${state.workspace.cwd} too: it cannot be told from what they did. Fork the session at ${target.id} instead.`,
      );
    case "known": {
      const others = await othersAt(deps, neighbours, own.windows);
      const elsewhere = others.find(({ cwd }) => cwd !== state.workspace.cwd);
      if (elsewhere !== undefined)
        throw new RepriseError(
          "not_supported",
          `${elsewhere.id} worked in ${elsewhere.cwd} at the same time: what it did there cannot be told from what this session did. Fork the session at that turn instead.`,
        );
      return {
        own: own.windows.map(treesOf),
        others: others.flatMap(({ windows }) => windows).map(treesOf),
      };
    }
  }
};

const directoryOf = ({ workspace: { place, cwd } }: State): Directory => ({
  place,
  path: cwd,
});

const isInProgress = ({ lifecycle }: State, turn: number): boolean =>
  lifecycle.name === "RUNNING" && lifecycle.turn.number === turn;

/** Sessions there or in a directory above or beneath, also those that have ended or are in the trash. */
const neighboursOf = async (
  { store }: Pick<OperationDeps, "store">,
  state: State,
): Promise<Session[]> => {
  const neighbours: Session[] = [];
  const near = directoryOf(state);
  for (const deleted of [false, true])
    for await (const other of allSessions(store, { deleted, near }))
      if (other.id !== state.id) neighbours.push(other);
  return neighbours;
};

/** What we make for a session is its own: who works above all of that leaves it alone, and does not capture it. */
const isApart = (
  deps: Pick<OperationDeps, "workspaces">,
  { id, workspace: { place, cwd } }: State,
  other: Session,
): boolean => {
  const made = madeBeside(deps, { id, place, cwd });
  return made !== null && isInside(cwd, made) && !isInside(other.cwd, made);
};

const isActiveSince = (
  { state, last_active_at }: Session,
  at: string,
): boolean =>
  state === "RUNNING" || state === "STARTING" || last_active_at > at;

/** What a turn found is known where that was captured, or where nobody else was there. */
const sureWindows = (
  own: OwnWindows,
  neighbours: readonly Session[],
): OwnWindows => {
  if (own.kind !== "known") return own;
  const unsure = own.windows.find(
    (window) =>
      window.to.kind === "turn" &&
      window.from.kind !== "start" &&
      !window.to.shared &&
      neighbours.some((other) => wasThere(other, window)),
  );
  return unsure === undefined ? own : { kind: "unknown", turn: unsure.to.turn };
};

const wasThere = (other: Session, { from, to }: Window): boolean => {
  const left = isTerminal(other.state)
    ? other.last_active_at
    : other.deleted_at;
  return other.created_at < to.at && (left === null || left > from.at);
};

interface Other extends Pick<Session, "id" | "cwd"> {
  windows: Window[];
}

/** Who of them was at work meanwhile. */
const othersAt = async (
  deps: Pick<OperationDeps, "store">,
  neighbours: readonly Session[],
  own: readonly Window[],
): Promise<Other[]> => {
  const others: Other[] = [];
  for (const { id, cwd } of neighbours) {
    const did = allWindows(await checkpointsOf(deps, id));
    const windows = overlapping(own, did);
    if (windows.length > 0) others.push({ id, cwd, windows });
  }
  return others;
};

export const treesOf = ({ from, to }: Window) => ({
  from: from.tree,
  to: to.tree,
});
