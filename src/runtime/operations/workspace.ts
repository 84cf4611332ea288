/** Where a new session works: in a directory it was given, in a worktree of its own, or in one that is made for it. */
import { basename, dirname, isAbsolute, join, normalize } from "node:path";
import type { SessionId } from "../../contract/base/id.ts";
import type { Worktree } from "../../contract/link/link-workspace.ts";
import { isLocal, type PlaceRef } from "../../contract/base/place.ts";
import type { Session } from "../../contract/session/session.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { isInside } from "../../kit/files/is-inside.ts";
import type { Place } from "../ports/executors.ts";
import { askPlace } from "./ask-place.ts";
import type { OperationDeps } from "./operation-deps.ts";

interface Workspace {
  cwd: string;
  worktree: Worktree | null;
}

type WorkspaceDeps = Pick<OperationDeps, "workspaces">;

export const workspaceFor = async (
  deps: WorkspaceDeps & Pick<OperationDeps, "ownDirectories">,
  { at, place }: { at: PlaceRef; place: Place },
  session: SessionId,
  {
    cwd,
    worktree,
  }: { cwd?: string | undefined; worktree?: string | undefined },
): Promise<Workspace> => {
  if (worktree !== undefined)
    return inWorktree(deps, place, session, absolute("worktree", worktree));
  if (cwd === undefined)
    return { cwd: await madeFor(deps, { at, place }, session), worktree: null };
  const path = await realDirectory(place, absolute("cwd", cwd));
  refuseOurs(deps, place, path);
  return { cwd: path, worktree: null };
};

const madeFor = async (
  deps: WorkspaceDeps & Pick<OperationDeps, "ownDirectories">,
  { at, place }: { at: PlaceRef; place: Place },
  session_id: SessionId,
): Promise<string> => {
  if (!isLocal(at))
    return (await askPlace(place.workspaces.make_workspace({ session_id })))
      .path;
  await deps.ownDirectories.make(session_id);
  return ownDirectory(deps, session_id);
};

/** What we keep ourselves is no place to work in; what is made for sessions is. */
export const refuseOurs = (
  deps: WorkspaceDeps,
  place: Pick<Place, "ownDirectories">,
  path: string,
): void => {
  const workspaces = place.ownDirectories ?? deps.workspaces;
  const isMade = isInside(path, workspaces) && path !== workspaces;
  if (!isMade && isInside(path, dirname(workspaces)))
    throw new RepriseError(
      "invalid_request",
      `${path} belongs to Reprise itself. Choose another directory.`,
    );
};

/** The directory that is a session's alone, on the machine of the server. */
export const ownDirectory = (
  { workspaces }: WorkspaceDeps,
  session: SessionId,
) => join(workspaces, session);

/** The same at any place that can be asked. */
export const ownDirectoryAt = (
  deps: WorkspaceDeps,
  place: Pick<Place, "ownDirectories">,
  session: SessionId,
): string =>
  ownDirectory(
    { workspaces: place.ownDirectories ?? deps.workspaces },
    session,
  );

/** Where what is made for sessions lies, as far as a session tells: the place itself is not asked. Null where nothing says. */
export const madeBeside = (
  { workspaces }: WorkspaceDeps,
  { id, place, cwd }: Pick<Session, "id" | "place" | "cwd">,
): string | null =>
  isLocal(place) ? workspaces : basename(cwd) === id ? dirname(cwd) : null;

export const worktreeFor = (
  deps: WorkspaceDeps,
  session: SessionId,
  repository: string,
): Worktree => ({
  id: session,
  path: ownDirectory(deps, session),
  // An id begins with the time: what tells two of a moment apart is its end.
  branch: `reprise/${session.slice(-8)}`,
  repository,
});

export const absolute = (name: string, path: string): string => {
  if (isAbsolute(path)) return normalize(path);
  throw new RepriseError(
    "invalid_request",
    `${name} must be an absolute path, not ${path}.`,
  );
};

const inWorktree = async (
  deps: WorkspaceDeps,
  place: Place,
  session: SessionId,
  repository: string,
): Promise<Workspace> => {
  const worktree = worktreeFor(deps, session, repository);
  await askPlace(place.workspaces.worktree(worktree));
  return { cwd: worktree.path, worktree };
};

/** By its name without links: whoever comes by another name works in the same directory. */
const realDirectory = async (place: Place, path: string): Promise<string> => {
  const { kind, real = path } = await place.workspace(path);
  if (kind === "missing")
    throw new RepriseError(
      "cwd_not_found",
      `${path} does not exist. Make the directory first, or choose another.`,
    );
  if (kind === "other")
    throw new RepriseError(
      "cwd_not_a_directory",
      `${path} is not a directory, or cannot be reached. Choose a directory.`,
    );
  return real;
};

/** The same for a directory that is not there yet, as far as the way to it is. */
export const realPathOf = async (
  place: Place,
  path: string,
): Promise<string> => {
  const { kind, real = path } = await place.workspace(path);
  const above = dirname(path);
  return kind === "missing" && above !== path
    ? join(await realPathOf(place, above), basename(path))
    : real;
};
