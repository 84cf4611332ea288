/**
 * The container of one place:
 *
 *   none ──make──► created ──start──► running ──► stopped ──start──► running
 *     └── of another engine: refused            paused ──unpause──► running
 *                                               stopped, and would be made otherwise today: removed, made
 */
import { setTimeout as delay } from "node:timers/promises";
import { backoff } from "../../kit/time/backoff.ts";
import type { Container } from "./engine/answers.ts";
import type { Engine, EngineRefusal } from "./engine/engine.ts";
import {
  containerName,
  containerSpec,
  LABELS,
  specHash,
} from "./container-spec.ts";
import type { Wish } from "./container-spec.ts";
import { notUsable } from "./not-usable.ts";
import { readMade, writeMade } from "./place-files.ts";

/** Which engine this is: engines that share a machine may share an id. */
const engineId = async (engine: Engine): Promise<string> => {
  const { ID, DockerRootDir } = await engine.about();
  return `${ID}@${DockerRootDir}`;
};

/**
 * The container of a place, running or not; null when its engine says that there is none. Another engine that knows none
 * is refused: nothing follows from what it says.
 */
export const findContainer = async (
  engine: Engine,
  {
    session,
    owner,
    directories,
  }: Pick<Wish, "session" | "owner" | "directories">,
): Promise<Container | null> => {
  const name = containerName(session);
  const found = await engine.inspect(name);
  if (found === null) {
    const made = await readMade(directories);
    if (made !== null && made.engine !== (await engineId(engine)))
      throw notUsable(
        `The container of this session was made by another engine, and may still run there: reach that one again. If it is gone for good, remove ${directories.made}`,
      );
    return null;
  }
  const labels = found.Config.Labels ?? {};
  if (labels[LABELS.home] !== owner || labels[LABELS.session] !== session)
    throw notUsable(
      `There is a container ${name} that is not of this home: rename or remove it`,
    );
  return found;
};

/** The id of the container, which runs when this resolves. */
export const runContainer = async (
  engine: Engine,
  wish: Wish,
): Promise<string> => {
  const found = await usable(engine, wish, await findContainer(engine, wish));
  const id = found?.Id ?? (await make(engine, wish));
  // Before it runs: whoever finds it gone later knows whom to ask.
  await writeMade(wish.directories, {
    engine: await engineId(engine),
    container: id,
  });
  if (found?.State.Paused) check(await engine.unpause(id), wish);
  else if (!found?.State.Running) check(await engine.start(id), wish);
  return id;
};

/** Null, and it is gone, where it is to be made anew. */
const usable = async (
  engine: Engine,
  wish: Wish,
  found: Container | null,
): Promise<Container | null> => {
  if (found === null || found.State.Running || wish.settings.writable_root)
    return found;
  if (specHash(found.Config.Labels) === specHash(containerSpec(wish).Labels))
    return found;
  check(await engine.remove(found.Id), wish);
  return null;
};

/** For how long a name may be taken by a container that nobody can look at: about eight seconds. */
const MAX_ATTEMPTS = 20;

const make = async (engine: Engine, wish: Wish): Promise<string> => {
  const name = containerName(wish.session);
  for (let attempt = 1; ; attempt++) {
    const made = await engine.create(name, containerSpec(wish));
    if ("id" in made) return made.id;
    // Somebody else was first. The name is taken a while before the container can be seen.
    const theirs =
      made.kind === "conflict" ? await findContainer(engine, wish) : null;
    if (theirs !== null) return theirs.Id;
    if (made.kind !== "conflict" || attempt === MAX_ATTEMPTS)
      throw refused(made, wish);
    await delay(backoff(attempt, 10, 500));
  }
};

/** One that is gone by now was removed by somebody else: the next try makes it anew. */
const check = (refusal: EngineRefusal | null, wish: Wish): void => {
  if (refusal !== null) throw refused(refusal, wish);
};

const refused = ({ kind, message }: EngineRefusal, { image }: Wish): Error =>
  notUsable(
    kind === "image_missing"
      ? `The engine has no image ${image}: run \`docker pull ${image}\`, or name another`
      : `The engine makes no container of ${image}: ${message}`,
  );
