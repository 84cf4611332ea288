import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { RepriseError } from "../contract/problem.ts";
import { readIfThere, remove, writeDurably } from "../kit/durable-file.ts";
import { makeDirectory } from "../kit/make-directory.ts";
import { type OsLock, takeOsLock } from "../kit/os-lock.ts";
import { checkOurs } from "../kit/own-file.ts";
import { endProcess, identify } from "../kit/process-identity.ts";

/** `server.json`: how clients on this machine find the server of a home. */
const Announcement = z.object({
  url: z.string(),
  pid: z.number(),
  boot_id: z.string(),
  start_time: z.string(),
});

/** The file that the server of a home holds locked. */
export const LOCK = "server.lock";

/** Tells clients of this machine where the server is. Returns how to take that back. */
export const announce = async (
  home: string,
  server: { url: string; version: string },
): Promise<() => Promise<void>> => {
  const path = join(home, "server.json");
  const identity = await identify(process.pid);
  const text = JSON.stringify({ ...server, ...identity });
  await writeDurably(path, text);
  // A server that took over has put its own there.
  return async () => {
    if ((await readIfThere(path)) !== text) return;
    // Left behind on a disk that cannot be written any more it names a process that is gone, and misleads nobody.
    await remove(path).catch(() => undefined);
  };
};

/** Resolves with its name without links: that is what the directories of sessions are compared with. Refuses a home that others can change. */
export const makeHome = async (home: string): Promise<string> => {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const path = await realpath(home);
  await checkOurs(path);
  await makeDirectory(join(path, "sessions"));
  return path;
};

/** One server per home: the lock is the operating system's, so a killed server holds nothing. */
export const holdHome = async (
  home: string,
  takeOver: boolean,
): Promise<OsLock> => {
  const path = join(home, LOCK);
  const lock = takeOsLock(path);
  if (lock !== null) return lock;
  const text = await readIfThere(join(home, "server.json"));
  const holder = text === null ? null : Announcement.parse(JSON.parse(text));
  if (holder === null)
    throw new RepriseError(
      "home_held",
      `Another Reprise server is starting on the home ${home}.`,
    );
  if (!takeOver)
    throw new RepriseError(
      "home_held",
      `The home ${home} is held by process ${holder.pid}, which serves ${holder.url}. Use that server, stop it, or choose another home with --home. If it does not answer, \`reprise up --take-over\` ends it and takes its place.`,
    );
  await endProcess(holder);
  // Its threads may let go of the lock a moment after it counts as dead.
  for (let tries = 0; tries < 500; tries++) {
    const taken = takeOsLock(path);
    if (taken !== null) return taken;
    await delay(10);
  }
  throw new RepriseError(
    "home_held",
    `The home ${home} is held by another process than the one that served it last. Stop that one first.`,
  );
};
