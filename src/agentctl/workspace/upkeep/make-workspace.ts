import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { join } from "node:path";
import type { SessionId } from "../../../contract/base/id.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import { hasErrno } from "../../../kit/errno.ts";
import { syncDirectory } from "../../../kit/files/durable-file.ts";
import { makeDirectory } from "../../../kit/files/make-directory.ts";

const DIRECTORY =
  constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** A directory for one session, below `workspaces` and nowhere a link leads to. What is there already is the answer. */
export const makeWorkspace = async (
  workspaces: string,
  session: SessionId,
): Promise<string> => {
  const path = join(workspaces, session);
  await makeDirectory(workspaces);
  await using parent = await openDirectory(workspaces);
  // By what is open: nobody can put a link in its place meanwhile. Only Linux gives names to that.
  const held =
    process.platform === "linux" ? `/proc/self/fd/${parent.fd}` : workspaces;
  const inside = join(held, session);
  await makeDirectory(inside);
  if (!(await lstat(inside)).isDirectory()) throw notDirectory(path);
  await syncDirectory(held);
  return path;
};

const openDirectory = async (path: string): Promise<FileHandle> => {
  try {
    return await open(path, DIRECTORY);
  } catch (error) {
    if (hasErrno(error, "ELOOP", "ENOTDIR")) throw notDirectory(path);
    throw error;
  }
};

const notDirectory = (path: string): LinkError =>
  new LinkError(
    "path_outside",
    `${path} is a link or a file, where a directory of agentctl belongs. Remove it, and try again. To keep workspaces elsewhere, start agentctl with another --home.`,
  );
