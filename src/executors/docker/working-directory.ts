import { join } from "node:path/posix";
import { isInside } from "../../kit/files/is-inside.ts";
import { INSIDE } from "./directories.ts";

/** In memory in every container, so that nothing of the machine can be shown there; what lies below can. */
export const IN_MEMORY = ["/tmp", "/var/tmp", "/run"] as const;
const SYSTEM = ["/proc", "/sys", "/dev", INSIDE.root];

/** Why a container cannot be given this directory, in words that follow its path; null when it can. */
export const whyNotWorkIn = (
  cwd: string,
  { home, socket }: { home: string; socket: string | null },
): string | null => {
  if (!cwd.startsWith("/") || cwd === "/")
    return "is not a directory that a container can be given";
  if (SYSTEM.some((path) => isInside(cwd, path)))
    return "is a directory of the system";
  if (IN_MEMORY.some((path) => path === cwd))
    return "is a directory that every container has for itself; use one below it";
  if (isInside(home, cwd) || (isInside(cwd, home) && !isOwn(cwd, home)))
    return "and the home of Reprise lie in each other; agents would see what other sessions hold";
  if (socket !== null && isInside(socket, cwd))
    return "holds the socket of the engine, by which the whole machine can be taken over";
  return null;
};

/** A directory that the server made for a session. */
const isOwn = (cwd: string, home: string): boolean =>
  cwd !== join(home, "workspaces") && isInside(cwd, join(home, "workspaces"));
