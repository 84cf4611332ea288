/**
 * Shows a task live: a line for each of its changes, and the turns of its attempts as they happen.
 *
 *   events of the task ──► a prompt of an attempt is queued ──► its turn, from the session ──► back to the events
 *        └──► REVIEW · DONE · CANCELLED · FAILED, and nothing behind it ──► the end
 */
import type { Client } from "../../client/client.ts";
import type { Budget } from "../../contract/base/budget.ts";
import type {
  AttemptId,
  PromptId,
  SessionId,
  TaskId,
} from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Session } from "../../contract/session/session.ts";
import type { Attempt, Task, TaskState } from "../../contract/task/task.ts";
import type { TaskEvent } from "../../contract/task/task-event.ts";
import type { ExitCode } from "../parsing/exit-code.ts";
import { jsonLine } from "../terminal/sanitize.ts";
import type { World } from "../terminal/world.ts";
import { nextStep } from "../text/task/next-step.ts";
import { taskLine } from "../text/task/task-line.ts";
import { cursorOf } from "./cursor.ts";
import { followUntilSettled } from "./follow.ts";
import { awaiting, nothingYet, type Progress, progressOf } from "./progress.ts";
import { taskWatched, watchTask } from "./watch.ts";

/** A prompt of an attempt, and the session that has it. */
interface Turn {
  attempt: AttemptId;
  session: SessionId;
  prompt: PromptId;
}

/** Up to where a session is known. */
interface Point {
  after: number;
  progress: Progress;
}

/** How a task stood when somebody began to watch it. */
export interface TaskSnapshot {
  task: Task;
  /** Events of the task after this seq are told. */
  after: number;
  attempts: readonly Attempt[];
  /** What the attempt in progress waits for. */
  turns: readonly Turn[];
  points: ReadonlyMap<SessionId, Point>;
}

/** Exit codes of the commands that follow a task. */
export const followTaskExits = {
  1: "failed, or the task came to FAILED or CANCELLED",
  130: "stopped watching with Ctrl-C; the task goes on",
} as const;

/** A task of which nothing is known yet: everything about it is told. */
export const fromTheBeginning = (task: Task): TaskSnapshot => ({
  task,
  after: 0,
  attempts: [],
  turns: [],
  points: new Map(),
});

/** The task is read first: whatever happens after it comes with its events. */
export const taskSnapshot = async (
  client: Client,
  id: TaskId,
): Promise<TaskSnapshot> => {
  const task = await client.showTask(id);
  const { attempts } = await client.listAttempts(id);
  const session = await sessionOf(client, task.session_id);
  const known = { task, attempts, after: task.last_seq };
  if (session === null) return { ...known, turns: [], points: new Map() };
  const turns = await openTurns(client, session, attempts.at(-1));
  const seen =
    turns.length === 0 ? session.last_seq : await cursorOf(client, session);
  const points = new Map([
    [session.id, { after: seen, progress: progressOf(session) }],
  ]);
  return { ...known, turns, points };
};

const sessionOf = async (
  client: Client,
  id: SessionId | null,
): Promise<Session | null> => {
  if (id === null) return null;
  return orNull(client.showSession(id), "session_not_found");
};

/** Only those that the session has: of the others it is told when they are queued. */
const openTurns = async (
  client: Client,
  session: Session,
  attempt: Attempt | undefined,
): Promise<Turn[]> => {
  if (attempt?.state !== "running" || attempt.session_id !== session.id)
    return [];
  const turns: Turn[] = [];
  for (const prompt of attempt.prompt_ids) {
    const found = await orNull(
      client.showPrompt(session.id, prompt),
      "prompt_not_found",
    );
    if (found !== null && (OPEN.has(found.state) || goesOn(session, prompt)))
      turns.push({ attempt: attempt.id, session: session.id, prompt });
  }
  return turns;
};

const OPEN: ReadonlySet<string> = new Set(["queued", "delivered", "running"]);

const goesOn = ({ unresolved_prompts }: Session, prompt: PromptId): boolean =>
  unresolved_prompts.some(
    ({ id, goes_on = null }) => id === prompt && goes_on !== null,
  );

const orNull = async <T>(
  asked: Promise<T>,
  code: RepriseError["code"],
): Promise<T | null> => {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof RepriseError && error.code === code) return null;
    throw error;
  }
};

/** Follows a task from a snapshot on, until nothing is to come without somebody asking for it. */
export const followTask = async (
  world: World,
  client: Client,
  snapshot: TaskSnapshot,
): Promise<ExitCode> => {
  // Between two feeds nobody else listens for Ctrl-C.
  let isLeaving = false;
  const stopListening = world.onSignal(() => {
    isLeaving = true;
  });
  const following = new TaskFollower(world, client, snapshot);
  try {
    while (!following.isOver)
      if (isLeaving || (await following.next()) === "detached") return 130;
    return following.end();
  } finally {
    stopListening();
  }
};

class TaskFollower {
  readonly #world: World;
  readonly #client: Client;
  readonly #id: TaskId;
  /** Up to here everything had happened when the watching began. */
  readonly #until: number;
  #after: number;
  #state: TaskState;
  #last: Task | null = null;
  readonly #turns: Turn[];
  readonly #told: Set<string>;
  readonly #points: Map<SessionId, Point>;
  readonly #numbers: Map<AttemptId, number>;
  #budget: Budget | null;

  constructor(world: World, client: Client, snapshot: TaskSnapshot) {
    const { task, after, attempts, turns, points } = snapshot;
    this.#world = world;
    this.#client = client;
    this.#id = task.id;
    this.#until = task.last_seq;
    this.#after = after;
    this.#state = task.state;
    this.#turns = [...turns];
    this.#told = new Set(turns.map(keyOf));
    this.#points = new Map(points);
    this.#budget = task.budget?.limits ?? null;
    this.#numbers = new Map(attempts.map(({ id, number }) => [id, number]));
  }

  get isOver(): boolean {
    return this.#last !== null;
  }

  /** The next turn that waits, or else the events of the task up to the next turn. */
  async next(): Promise<"done" | "detached"> {
    const turn = this.#turns.shift();
    if (turn !== undefined && !this.#world.json) return this.#show(turn);
    const from = { task: this.#id, after: this.#after };
    return watchTask(this.#world, this.#client, from, (event) =>
      this.#see(event),
    );
  }

  end(): ExitCode {
    const world = this.#world;
    if (this.#last !== null && !world.json)
      world.out.write(`${nextStep(this.#last, world.program, world.now())}\n`);
    return exitOf(this.#last?.state ?? this.#state);
  }

  async #see(event: TaskEvent): Promise<boolean> {
    const { out, json } = this.#world;
    this.#after = event.seq;
    if (event.type === "task.attempt.started")
      this.#numbers.set(event.data.attempt_id, event.data.number);
    if (event.type === "task.state_changed") this.#state = event.data.to;
    const line = json
      ? jsonLine(event)
      : taskLine(
          event,
          { numbers: this.#numbers, budget: this.#budget },
          out.palette,
        );
    if (event.type === "task.created" || event.type === "task.described")
      this.#budget = event.data.budget ?? null;
    out.write(line === "" ? "" : `${line}\n`);
    if (event.type === "task.prompt.queued" && this.#isNew(event.data))
      return true;
    if (isResting(this.#state) && event.seq >= this.#until)
      this.#last = await this.#atRest(event);
    return this.isOver;
  }

  #isNew(queued: {
    attempt_id: AttemptId;
    session_id: SessionId;
    prompt_id: PromptId;
  }): boolean {
    const { attempt_id, session_id, prompt_id } = queued;
    const turn = {
      attempt: attempt_id,
      session: session_id,
      prompt: prompt_id,
    };
    if (this.#world.json || this.#told.has(keyOf(turn))) return false;
    this.#told.add(keyOf(turn));
    this.#turns.push(turn);
    return true;
  }

  /** The task, if this was its last event and nothing is to come. */
  async #atRest({ seq }: TaskEvent): Promise<Task | null> {
    const task = await this.#client.showTask(this.#id);
    return task.last_seq <= seq && isResting(task.state) ? task : null;
  }

  async #show({ session, prompt }: Turn): Promise<"done" | "detached"> {
    const world = this.#world;
    const { last_seq: until } = await this.#client.showSession(session);
    const point = this.#points.get(session) ?? {
      after: 0,
      progress: nothingYet,
    };
    const { left, after, progress } = await followUntilSettled(
      world,
      this.#client,
      {
        session,
        after: point.after,
        progress: awaiting(point.progress, prompt),
        until,
        as: taskWatched(world, this.#id),
      },
    );
    this.#points.set(session, { after, progress });
    return left;
  }
}

const keyOf = ({ attempt, prompt }: Turn): string => `${attempt} ${prompt}`;

/** Nothing is to come by itself: a task with a retry to come is IN_PROGRESS. */
export const isResting = (state: TaskState): boolean =>
  state !== "TODO" && state !== "IN_PROGRESS";

export const exitOf = (state: TaskState): ExitCode =>
  state === "FAILED" || state === "CANCELLED" ? 1 : 0;
