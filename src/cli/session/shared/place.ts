/** Where sessions run and in which directory they work, as it is said on the command line. */
import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { CreateSessionInput } from "../../../contract/api/request.ts";
import {
  type ChosenPlace,
  ExecutorKind,
  ExecutorName,
  isOnHost,
} from "../../../contract/base/executor-name.ts";
import { UsageError } from "../../parsing/usage-error.ts";
import type { World } from "../../terminal/world.ts";

export const placeOptions = {
  executor: {
    kind: "text",
    value: ExecutorKind.options.join("|"),
    help: "where the agent runs: standalone is the machine of the server, remote and ssh another host, docker a container of its own",
  },
  host: {
    kind: "text",
    value: "NAME",
    help: "the host it runs on; `reprise executors` lists them",
  },
  image: {
    kind: "text",
    value: "IMAGE",
    help: "the image of the container, with --executor docker",
  },
} as const;

interface SaidPlace {
  executor: string | undefined;
  host: string | undefined;
  image: string | undefined;
}

/** The executor by our name for it. Refused in the words of the command line, before anything is sent. */
export const placeIn = ({ executor, host, image }: SaidPlace): ChosenPlace => ({
  ...(executor === undefined ? {} : { executor: executorIn(executor) }),
  ...(host === undefined ? {} : { host }),
  ...(image === undefined ? {} : { image }),
});

const executorIn = (said: string): ExecutorKind => {
  const { data } = ExecutorName.safeParse(said);
  if (data !== undefined) return data;
  throw new UsageError(
    `--executor must be one of ${ExecutorKind.options.join(", ")}, not "${said}".`,
  );
};

/** A directory, or a worktree of a repository. */
export const workspaceIn = async (
  world: Pick<World, "cwd">,
  {
    cwd,
    worktree,
    ...place
  }: SaidPlace & { cwd: string | undefined; worktree: string | undefined },
): Promise<Pick<CreateSessionInput, "cwd" | "worktree">> => {
  // Paths on another host are what they are there.
  if (isOnHost(placeIn(place)))
    return {
      ...(cwd !== undefined && { cwd }),
      ...(worktree !== undefined && { worktree }),
    };
  if (worktree === undefined) return { cwd: await directory(world, cwd) };
  if (cwd === undefined) return { worktree: await directory(world, worktree) };
  throw new UsageError("Give either --cwd or --worktree.");
};

/** The server gets an absolute path without links, so that `continue` finds the session from wherever it is called. */
export const directory = async (
  { cwd }: Pick<World, "cwd">,
  option: string | undefined,
): Promise<string> => {
  const path = resolve(cwd, option ?? ".");
  // One that does not exist is the server's to refuse: it may be another machine's.
  return realpath(path).catch(() => path);
};
