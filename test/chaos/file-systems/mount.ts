/** Somebody mounts a directory of his own in the workspace of a session that rests, or takes it away again. */
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { MOUNTINFO, parseMountinfo } from "../../../src/kit/files/mountinfo.ts";
import type { Play } from "../play.ts";
import type { Chance } from "../random.ts";
import { bringToPause, isStill } from "../rest.ts";
import type { Stage } from "../stage.ts";
import { canMount } from "./file-systems.ts";
import { MOUNT_POINT } from "./mount-point.ts";

const run = promisify(execFile);

const NAME = "theirs";
const CONTENT = "not the session's";

export const mountOrUnmount = async (
  stage: Stage,
  play: Play,
  chance: Chance,
  signal: AbortSignal,
): Promise<void> => {
  if (!canMount()) return;
  const rested = await bringToPause(stage, play, chance, signal);
  if (rested === null) return;
  const at = join(play.cwd, MOUNT_POINT);
  if (await isMounted(at)) await run("umount", [at]);
  else {
    const theirs = join(preciousIn(stage), play.name);
    await mkdir(theirs, { recursive: true });
    await writeFile(join(theirs, NAME), CONTENT);
    await makeUnseen(at);
    await run("mount", ["--bind", theirs, at]);
  }
  stage.tally.mounts += 1;
  // A rewind that was under way all the same has found another workspace than it was planned for.
  if (!(await isStill(stage, play, chance, rested, stage.curtain)))
    play.disturbed = true;
};

/** Its own name is left out where workspaces are listed, so nothing else may show that it was made. */
const makeUnseen = async (directory: string): Promise<void> => {
  const parent = dirname(directory);
  const { mtimeNs } = await stat(parent, { bigint: true });
  if ((await mkdir(directory, { recursive: true })) === undefined) return;
  const [seconds, rest] = [mtimeNs / 10n ** 9n, mtimeNs % 10n ** 9n];
  const time = `@${seconds}.${String(rest).padStart(9, "0")}`;
  await run("touch", ["-m", "-d", time, parent]);
};

/** P8: whatever became of the workspaces, what was mounted in them is as it was. */
export const checkPrecious = async (stage: Stage): Promise<void> => {
  const directory = preciousIn(stage);
  for (const name of await readdir(directory).catch(() => [])) {
    const path = join(directory, name, NAME);
    const content = await readFile(path, "utf8").catch(() => null);
    const names = await readdir(join(directory, name));
    if (content !== CONTENT || names.length !== 1)
      stage.violations.add(
        "P8",
        name,
        `what was mounted in its workspace holds ${JSON.stringify(names)}, and ${NAME} is ${JSON.stringify(content)}`,
      );
  }
};

const preciousIn = ({ house }: Stage): string =>
  join(house.directory, "precious");

const isMounted = async (path: string): Promise<boolean> =>
  parseMountinfo(await readFile(MOUNTINFO, "utf8")).some(
    (mount) => mount.path === path,
  );
