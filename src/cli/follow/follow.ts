import type { Client } from "../../client/client.ts";
import { withView } from "../../client/prompt/prompt-phases.ts";
import type { Event } from "../../contract/event/event.ts";
import type { SessionId } from "../../contract/base/id.ts";
import type { ExitCode } from "../parsing/exit-code.ts";
import { clockTime } from "../terminal/clock-time.ts";
import { jsonLine } from "../terminal/sanitize.ts";
import { spinner } from "../terminal/spinner.ts";
import type { World, Sink } from "../terminal/world.ts";
import { indented } from "../terminal/indented.ts";
import { resolveCommands } from "../text/next-command.ts";
import { Narrator } from "./narrator.ts";
import {
  advance,
  goesOnAt,
  hasFailed,
  isCapturing,
  isDoubtful,
  isSettled,
  undecided,
  type Progress,
  waitsUntil,
} from "./progress.ts";
import { type Watched, watch } from "./watch.ts";

export interface From {
  session: SessionId;
  /** Events after this seq are printed. */
  after: number;
  /** How things stood at `after`. */
  progress: Progress;
  /** Up to this seq everything has happened already: only beyond it can it be settled. */
  until: number;
  /** What it is watched as part of, if not for itself. */
  as?: Watched;
}

/** How far somebody followed, and how things stood there. */
export interface Followed {
  left: "done" | "detached";
  after: number;
  progress: Progress;
}

/** Exit codes of the commands that take `--follow`. */
export const followExits = {
  1: "failed, or the turn did not complete",
  130: "stopped watching with Ctrl-C; the session goes on",
} as const;

/** Shows a session live until there is nothing left to wait for. */
export const follow = async (
  world: World,
  client: Client,
  from: From,
): Promise<ExitCode> => {
  const { left, progress } = await followUntilSettled(world, client, from);
  if (left === "detached") return 130;
  return hasFailed(progress) ? 1 : 0;
};

export const followUntilSettled = async (
  world: World,
  client: Client,
  from: From,
): Promise<Followed> => {
  let { progress, after } = from;
  if (from.until <= after && isSettled(progress))
    return { left: "done", after, progress };
  const show = world.json
    ? showDocuments(world)
    : tellingStop(showStory(world, from), world, from);
  try {
    const see = async (event: Event): Promise<boolean> => {
      progress = advance(progress, event);
      after = event.seq;
      if (isDoubtful(progress))
        progress = await withFreshView(client, from, progress);
      const isOver = event.seq >= from.until && isSettled(progress);
      show.event(event, progress, isOver);
      return isOver;
    };
    const left = await watch(world, client, from, see, () => show.clear());
    return { left, after, progress };
  } finally {
    show.end();
  }
};

const withFreshView = async (
  client: Client,
  { session }: From,
  progress: Progress,
): Promise<Progress> => {
  try {
    const view = await client.showSession(session);
    return { ...progress, prompts: withView(progress.prompts, view) };
  } catch {
    // Nobody to ask: what was seen last counts.
    return progress;
  }
};

interface Show {
  event(event: Event, progress: Progress, isOver: boolean): void;
  /** Takes away what moves. */
  clear(): void;
  end(): void;
}

const showDocuments = ({ out }: World): Show => ({
  event: (event) => out.write(`${jsonLine(event)}\n`),
  clear: () => undefined,
  end: () => undefined,
});

const showStory = (world: World, { progress: before, as }: From): Show => {
  const { out, err, program } = world;
  const narrator = new Narrator(out.palette, program, as?.noun === "task");
  const waiting = spinner(err);
  const notice = captureNotice(err);
  const wait = (progress: Progress): void =>
    waiting.show(waitingFor(narrator, progress, world.now()));
  const goesOn = goesOnWords(before, world.now());
  if (goesOn !== null) out.write(`${out.palette.dim(`── ${goesOn}`)}\n`);
  const began = world.now();
  let waits: string | null = null;
  /** Once for each time, in a line of its own. After midnight the same time has other words: those of one moment are compared. */
  const tellWaits = (progress: Progress): void => {
    const asBegun = waitsWords(progress, began);
    if (asBegun !== null && asBegun !== waits && narrator.atLineStart) {
      waiting.hide();
      const words = waitsWords(progress, world.now());
      out.write(`${out.palette.dim(`── ${words}`)}\n`);
    }
    waits = asBegun;
  };
  tellWaits(before);
  wait(before);
  return {
    event(event, progress, isOver) {
      notice.tell(isCapturing(progress) && !isOver);
      const told = narrator.tell(event, goesOnWords(progress, world.now()));
      const text = isOnlyIdle(event, progress) ? "" : told;
      if (text !== "" || isOver) {
        waiting.hide();
        out.write(text);
      }
      tellWaits(progress);
      // In the middle of a line the text itself shows that something happens.
      if (narrator.atLineStart && !isOver) wait(progress);
    },
    clear: () => waiting.hide(),
    end() {
      notice.tell(false);
      waiting.hide();
      out.write(narrator.end());
    },
  };
};

export const waitingFor = (
  { questions, running }: Pick<Narrator, "questions" | "running">,
  progress: Progress,
  now: Date,
): string => {
  if (isCapturing(progress)) return CAPTURING;
  const goesOn = goesOnWords(progress, now);
  if (goesOn !== null) return goesOn;
  const waits = waitsWords(progress, now);
  if (waits !== null) return waits;
  // Nobody tells how far npx is: a first start may take minutes.
  if (isStarting(progress))
    return "the agent is being started; one that is not installed is downloaded first";
  return questions === 0
    ? (running ?? "the agent is at work")
    : "the agent waits for your answer";
};

/** When a turn that was cut off goes on by itself; null where none is to. */
const goesOnWords = (progress: Progress, now: Date): string | null => {
  const at = goesOnAt(progress);
  if (at === undefined) return null;
  if (at === null) return "the turn goes on by itself";
  return `${usedUpWords(progress)}the turn goes on by itself at ${clockTime(at, now)}`;
};

/** A prompt waits for a quota, and its agent is stopped meanwhile: that is no pause to anybody. */
const isOnlyIdle = (event: Event, progress: Progress): boolean =>
  event.type === "session.state_changed" &&
  event.data.to === "PAUSED" &&
  waitsUntil(progress) !== undefined;

/** Until when a prompt waits; null where none waits for a time. */
const waitsWords = (progress: Progress, now: Date): string | null => {
  const until = waitsUntil(progress) ?? null;
  return until === null
    ? null
    : `${usedUpWords(progress)}the prompt waits and begins by itself at ${clockTime(until, now)}`;
};

const usedUpWords = ({ prompts: { view } }: Progress): string =>
  (view?.quota.used_up ?? [])
    .map(({ agent }) => `${agent}'s quota is used up; `)
    .join("");

const isStarting = ({ prompts: { state } }: Progress): boolean =>
  state === "CREATED" || state === "STARTING";

export const CAPTURING = "saving the workspace as it is";

/** Sooner than this there is nothing to wonder about. */
const PATIENCE_MS = 1000;

/** Says, once it has taken a moment, that a prompt waits for a capture. On a terminal the spinner says it. */
export const captureNotice = (
  sink: Sink,
): { tell(isCapturing: boolean): void } => {
  let timer: NodeJS.Timeout | undefined;
  return {
    tell(isCapturing) {
      if (!isCapturing) {
        clearTimeout(timer);
        timer = undefined;
      } else if (!sink.isTerminal)
        timer ??= setTimeout(
          () => sink.write(`(${CAPTURING} …)\n`),
          PATIENCE_MS,
        );
    },
  };
};

/** The same, and tells when a turn that was to go on by itself does not any more: somebody has to decide about it. */
const tellingStop = (
  show: Show,
  { out, program }: World,
  { session, progress: before, as }: From,
): Show => {
  let wasToGoOn = goesOnAt(before) !== undefined;
  return {
    ...show,
    event(event, progress, isOver) {
      show.event(event, progress, isOver);
      const goesOn = goesOnAt(progress) !== undefined;
      const prompt = wasToGoOn && !goesOn ? undecided(progress) : undefined;
      wasToGoOn = goesOn;
      if (prompt === undefined) return;
      show.clear();
      out.write(
        `${out.palette.dim("── the turn does not go on by itself any more")}\n`,
      );
      // A task decides about its prompts itself.
      if (as?.noun !== "task")
        out.write(`${indented(resolveCommands(program, session, prompt))}\n`);
    },
  };
};
