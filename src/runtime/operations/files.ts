/** The workspace of a session from outside, whether its agent runs or not. */
import type { SessionId } from "../../contract/base/id.ts";
import type { FilesQuery } from "../../contract/api/workspace-route.ts";
import type { FileRead, FileWrite } from "../../contract/link/link-files.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type {
  DirectoryPage,
  WrittenFile,
} from "../../contract/session/workspace-file.ts";
import type { FileContent, Place } from "../ports/executors.ts";
import { askPlace } from "./ask-place.ts";
import type { OperationDeps } from "./operation-deps.ts";

type Deps = Pick<OperationDeps, "store" | "held" | "places">;

export const fileOperations = (deps: Deps) => ({
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
