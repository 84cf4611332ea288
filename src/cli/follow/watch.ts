import {
  type Client,
  type FollowOptions,
  ServerUnreachable,
} from "../../client/client.ts";
import type { Event } from "../../contract/event/event.ts";
import type { SessionId, TaskId } from "../../contract/base/id.ts";
import type { TaskEvent } from "../../contract/task/task-event.ts";
import { comeBackCommand } from "../text/next-command.ts";
import { followTaskCommand } from "../text/task/next-step.ts";
import type { World } from "../terminal/world.ts";

/** A server that is being replaced is back sooner; after this, a script must not hang any longer. */
const PATIENCE_MS = 120_000;

/** What goes on when somebody stops watching, and the command that comes back to it. */
export interface Watched {
  noun: "session" | "task";
  comeBack: string;
}

/** Gives every event to `see` until it says that this was the last one, or until Ctrl-C. */
export const watch = (
  world: World,
  client: Client,
  { session, after, as }: { session: SessionId; after: number; as?: Watched },
  see: (event: Event) => boolean | Promise<boolean>,
  clear?: () => void,
): Promise<"done" | "detached"> =>
  watchFeed(
    world,
    (options) => client.follow(session, { ...options, after }),
    as ?? {
      noun: "session",
      comeBack: comeBackCommand(world.program, session),
    },
    see,
    clear,
  );

/** The same for the events of a task. */
export const watchTask = (
  world: World,
  client: Client,
  { task, after }: { task: TaskId; after: number },
  see: (event: TaskEvent) => boolean | Promise<boolean>,
): Promise<"done" | "detached"> =>
  watchFeed(
    world,
    (options) => client.followTask(task, { ...options, after }),
    taskWatched(world, task),
    see,
  );

export const taskWatched = (
  { program }: Pick<World, "program">,
  task: TaskId,
): Watched => ({ noun: "task", comeBack: followTaskCommand(program, task) });

const watchFeed = async <E>(
  world: World,
  open: (options: FollowOptions) => AsyncIterable<E>,
  { noun, comeBack }: Watched,
  see: (event: E) => boolean | Promise<boolean>,
  /** Called before anything else is written: what moves on the terminal is taken away first. */
  clear: () => void = () => undefined,
): Promise<"done" | "detached"> => {
  const leave = new AbortController();
  const stopListening = world.onSignal(() => leave.abort());
  let isLost = false;
  const say = (words: string): void => {
    clear();
    world.err.write(world.json ? "" : `${world.err.palette.dim(words)}\n`);
  };
  try {
    const feed = open({
      signal: leave.signal,
      patience_ms: PATIENCE_MS,
      onLost: () => {
        if (!isLost)
          say(`\n(the server is gone; the ${noun} goes on; trying again)`);
        isLost = true;
      },
      onOpen: () => {
        if (isLost) say("(the server is back)");
        isLost = false;
      },
    });
    for await (const event of feed) if (await see(event)) return "done";
    say(`\nThe ${noun} goes on. Come back with \`${comeBack}\`.`);
    return "detached";
  } catch (error) {
    if (!(error instanceof ServerUnreachable)) throw error;
    throw new ServerUnreachable(
      error.url,
      `${error.message} The ${noun} goes on where it was: come back with \`${comeBack}\`.`,
      error,
    );
  } finally {
    stopListening();
  }
};
