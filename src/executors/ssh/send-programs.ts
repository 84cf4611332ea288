/** What runs on a host is sent there by `tar`, in directories whose names say what is in them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { RepriseError } from "../../contract/problem/problem.ts";
import { type Door, inSession } from "./knock.ts";
import { RECEIVE } from "./scripts.ts";
import { shellCommand } from "./shell-words.ts";
import { sshProblem } from "./ssh-problem.ts";

/** Sends one directory of those in `programs`. Resolves when all of it is there. */
export const sendPrograms = async (
  door: Door,
  programs: string,
  name: string,
  signal: AbortSignal,
): Promise<void> => {
  const { files, last } = await partsOf(join(programs, name));
  const command = shellCommand(RECEIVE, [door.directory, name, last]);
  await inSession(door, command, signal, async (session) => {
    const tar = spawn(
      "tar",
      ["-cf", "-", "-C", programs, ...files.map((file) => `./${name}/${file}`)],
      { stdio: ["ignore", "pipe", "ignore"] },
    );
    const packed = once(tar, "close").catch((error: unknown) => [error]);
    // Where the host takes no more, it says why itself.
    await pipeline(tar.stdout, session.input).catch(() => tar.kill());
    const [code] = await packed;
    const isThere = (await session.mark()) && (await session.line());
    if (isThere === "received") return;
    const ended = await session.ended();
    if (code !== 0 && ended.words === "")
      throw new RepriseError(
        "host_not_usable",
        `What runs on a host could not be packed with \`tar\` on this machine (${String(code)}). Install tar here, and see that ${programs} can be read.`,
      );
    throw sshProblem(door, ended);
  });
};

const partsOf = async (
  directory: string,
): Promise<{ files: string[]; last: string }> => {
  const all = await readdir(directory);
  const isRuntime = all.includes("lib");
  // A build has a Node, too, which the runtime has with its libraries.
  const last = isRuntime ? "node" : "ssh-relay.js";
  const others = all.filter((name) => name !== last && name !== "node");
  return { files: [...others, last], last };
};
