import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { RepriseError } from "../contract/problem/problem.ts";
import { crashPoint } from "../kit/crash-point.ts";
import { hasErrno } from "../kit/errno.ts";
import { whyNoHome } from "../kit/files/home-path.ts";
import { lockHolder } from "../kit/processes/lock-holder.ts";
import { makeDirectory } from "../kit/files/make-directory.ts";
import { type OsLock, takeOsLock } from "../kit/processes/os-lock.ts";
import { checkOurs } from "../kit/files/own-file.ts";
import { endProcess, isRunning } from "../kit/processes/process-identity.ts";
import { type Announced, readAnnouncement } from "./announcement.ts";

/** The file that the server of a home holds locked. */
export const LOCK = "server.lock";

/** Resolves with its name without links: that is what the directories of sessions are compared with. Refuses a home that others can change. */
export const makeHome = async (home: string): Promise<string> => {
  const why = await whyNoHome(home);
  if (why !== null) throw unusable(why);
  await makeDirectories(home).catch((error: unknown) => {
    // Where nothing can be made at all, as in /proc.
    if (hasErrno(error, "ENOENT", "EINVAL"))
      throw unusable(`The home ${home} cannot be made there.`, error);
    throw error;
  });
  const path = await realpath(home);
  await checkOurs(path);
  await makeDirectory(join(path, "sessions"));
  return path;
};

/** With those above it. Node's own way to do that never ends where a file system says that the directory above is missing, and it is not. */
const makeDirectories = async (path: string): Promise<void> => {
  const above = dirname(path);
  if (!existsSync(above)) await makeDirectories(above);
  await makeDirectory(path);
};

const unusable = (why: string, cause?: unknown): RepriseError =>
  new RepriseError(
    "home_unusable",
    `${why} Choose another with --home or REPRISE_HOME.`,
    { cause },
  );

/** How the holder of a home is found, and how long it is waited between two tries. */
interface HoldDeps {
  holder: (home: string) => Promise<Announced | null>;
  pause: (ms: number) => Promise<unknown>;
}

/** One server per home: the lock is the operating system's, so a killed server holds nothing. */
export const holdHome = async (
  home: string,
  takeOver: boolean,
  { holder: find, pause }: HoldDeps = { holder: holderOf, pause: delay },
): Promise<OsLock> => {
  const path = join(home, LOCK);
  let ended: Announced | null = null;
  // The threads of a server that is being killed may let go of the lock a moment after it counts as dead.
  for (let tries = 0; tries < 500; tries++) {
    const lock = takeOsLock(path);
    if (lock !== null) {
      crashPoint("server.held");
      return lock;
    }
    const holder: Announced | null = ended === null ? await find(home) : null;
    if (holder !== null && !takeOver) throw held(home, holder);
    if (holder !== null) await endProcess(holder);
    ended ??= holder;
    await pause(10);
  }
  throw new RepriseError(
    "home_held",
    ended === null
      ? `The home ${home} is held by a process that the system does not name${takeOver ? ", so it cannot be ended" : ""}. Stop it, or choose another home with --home.`
      : `The home ${home} is held by another process than the one that was ended, ${ended.pid}. Stop that one first.`,
  );
};

/** The operating system knows who holds the lock; where it does not tell, the holder itself has written it down. */
const holderOf = async (home: string): Promise<Announced | null> => {
  const announced = await readAnnouncement(home);
  const holder = await lockHolder(join(home, LOCK));
  if (holder === null)
    return announced !== null && (await isRunning(announced))
      ? announced
      : null;
  return announced?.pid === holder.pid &&
    announced.start_time === holder.start_time
    ? announced
    : holder;
};

const held = (home: string, { pid, url }: Announced): RepriseError =>
  new RepriseError(
    "home_held",
    `The home ${home} is held by process ${pid}, which ${url === undefined ? "is starting" : `serves ${url}`}. Use that server, stop it, or choose another home with --home. If it does not answer, \`reprise up --take-over\` ends it and takes its place.`,
  );
