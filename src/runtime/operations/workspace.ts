/** Where a new session works: in a directory it was given, in a worktree of its own, or in one that is made for it. */
import { basename, dirname, isAbsolute, join, normalize } from "node:path";
import type { SessionId } from "../../contract/base/id.ts";
import type { Worktree } from "../../contract/link/link-workspace.ts";
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
  place: Place,
  session: SessionId,
  {
    cwd,
    worktree,
  }: { cwd?: string | undefined; worktree?: string | undefined },
): Promise<Workspace> => {
  if (worktree !== undefined)
    return inWorktree(deps, place, session, absolute("worktree", worktree));
  if (cwd === undefined) {
    await deps.ownDirectories.make(session);
    return { cwd: ownDirectory(deps, session), worktree: null };
  }
  const path = await realDirectory(place, absolute("cwd", cwd));
  refuseOurs(deps, path);
  return { cwd: path, worktree: null };
};

/** What we keep ourselves is no place to work in; what is made for sessions is. */
export const refuseOurs = (
  { workspaces }: WorkspaceDeps,
  path: string,
): void => {
  const isMade = isInside(path, workspaces) && path !== workspaces;
  if (!isMade && isInside(path, dirname(workspaces)))
    throw new RepriseError(
      "invalid_request",
      `${path} belongs to Reprise itself. Choose another directory.`,
    );
};

/** The directory that is a session's alone. */
export const ownDirectory = (
  { workspaces }: WorkspaceDeps,
  session: SessionId,
) => join(workspaces, session);

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
