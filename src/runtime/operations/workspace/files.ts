/** The workspace of a session from outside, whether its agent runs or not. */
import type { SessionId } from "../../../contract/base/id.ts";
import type { DirectoriesQuery } from "../../../contract/api/directory-route.ts";
import type {
  FilesQuery,
  GitDiffQuery,
  GitLogQuery,
  SearchQuery,
} from "../../../contract/api/workspace-route.ts";
import type { FileRead, FileWrite } from "../../../contract/link/link-files.ts";
import { RepriseError } from "../../../contract/problem/problem.ts";
import type { Directories } from "../../../contract/session/directories.ts";
import type {
  GitBranches,
  GitDiff,
  GitLog,
  GitStatus,
} from "../../../contract/session/git-look.ts";
import type { SearchResult } from "../../../contract/session/search.ts";
import type {
  DirectoryPage,
  WrittenFile,
} from "../../../contract/session/workspace-file.ts";
import type { FileContent, Place } from "../../ports/executors.ts";
import { chosenPlace } from "../chosen-place.ts";
import { askPlace } from "../ask-place.ts";
import type { OperationDeps } from "../operation-deps.ts";

type Deps = Pick<
  OperationDeps,
  "store" | "held" | "places" | "hosts" | "engine"
>;

export const fileOperations = (deps: Deps) => ({
  ...lookOperations(deps),
  /** Where a session would start. */
  listDirectories: async ({
    executor,
    host,
    ...query
  }: DirectoriesQuery): Promise<Directories> => {
    const at = chosenPlace(deps, { executor, host });
    const place = await deps.places.obtainHeld(at);
    return askPlace(place.files.directories(query));
  },
  listFiles: async (
    session: SessionId,
    path: string,
    { after, limit }: FilesQuery,
  ): Promise<DirectoryPage> => {
    const { place, cwd } = await workspaceOf(deps, session);
    const page = { limit, ...(after !== undefined && { after }) };
    return askPlace(place.files.list({ cwd, path, ...page }));
  },
  readFile: async (
    session: SessionId,
    path: string,
    asked: FileRead,
  ): Promise<FileContent> => {
    const { place, cwd } = await workspaceOf(deps, session);
    return askPlace(place.files.read({ ...asked, cwd, path }));
  },
  putFile: async (
    session: SessionId,
    path: string,
    asked: FileWrite,
    content: AsyncIterable<Uint8Array>,
  ): Promise<WrittenFile> => {
    const { place, cwd } = await workspaceOf(deps, session);
    return askPlace(place.files.put({ ...asked, cwd, path }, content));
  },
});

const lookOperations = (deps: Deps) => ({
  searchFiles: async (
    session: SessionId,
    { q, glob, ...how }: SearchQuery,
    signal: AbortSignal,
  ): Promise<SearchResult> => {
    const { place, cwd } = await workspaceOf(deps, session);
    const globs = glob.split(",").filter((each) => each !== "");
    const order = { ...how, cwd, pattern: q, globs };
    return askPlace(place.files.search(order, signal));
  },
  showGitStatus: async (session: SessionId): Promise<GitStatus> => {
    const { place, cwd } = await repositoryOf(deps, session);
    return askPlace(place.files.status({ cwd }));
  },
  showGitDiff: async (
    session: SessionId,
    { path, staged, since }: GitDiffQuery,
  ): Promise<GitDiff> => {
    if (staged && since !== undefined)
      throw new RepriseError(
        "invalid_request",
        "Ask for what is staged or for what came since a commit, not for both.",
      );
    const { place, cwd } = await repositoryOf(deps, session);
    const of =
      since === undefined ? (staged ? "index" : "worktree") : { since };
    const where = path === undefined ? { cwd } : { cwd, path };
    return askPlace(place.files.diff({ ...where, of }));
  },
  showGitLog: async (
    session: SessionId,
    { path, revision, limit, skip }: GitLogQuery,
  ): Promise<GitLog> => {
    const { place, cwd } = await repositoryOf(deps, session);
    const order = {
      cwd,
      limit,
      skip,
      ...(path !== undefined && { path }),
      ...(revision !== undefined && { revision }),
    };
    return askPlace(place.files.log(order));
  },
  showGitBranches: async (session: SessionId): Promise<GitBranches> => {
    const { place, cwd } = await repositoryOf(deps, session);
    return askPlace(place.files.branches({ cwd }));
  },
});

/**
 * Settings of a repository name programs. They are switched off by name, and what runs in the sandbox could change them
 * meanwhile: then they would run outside of it.
 */
const repositoryOf = async (
  deps: Deps,
  session: SessionId,
): Promise<{ place: Place; cwd: string }> => {
  const { sandbox } = (await deps.engine.state(session)).agent.definition;
  if (sandbox === undefined) return workspaceOf(deps, session);
  throw new RepriseError(
    "not_supported",
    "The session runs in a sandbox, so git is not run in its directory from outside. Run git as a command of the session, or in one of its shells: those are inside.",
  );
};

/** Where a session works. Its journal is not read: this answers for a damaged session too. */
export const workspaceOf = async (
  { store, held, places }: Deps,
  session: SessionId,
): Promise<{ place: Place; cwd: string }> => {
  const found = await store.session(session);
  if (found === null)
    throw new RepriseError(
      "session_not_found",
      `There is no session ${session}.`,
    );
  if (found.deleted_at !== null)
    throw new RepriseError(
      "session_deleted",
      "The session is in the trash. Take it out first.",
    );
  await held.requireHeard(session);
  return { place: await places.obtainHeld(found.place), cwd: found.cwd };
};
