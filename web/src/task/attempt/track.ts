/** An attempt as it is drawn under the axis of time, and as it is told: folded from the journal of its task. */
import type { Spent } from "../../../../src/contract/base/budget.ts";
import type { TaskEvent } from "../../../../src/contract/task/task-event.ts";
import type { Attempt } from "../../../../src/contract/task/task.ts";
import type { TurnShape } from "../../line/shape.ts";

export interface TrackStroke {
  from: number;
  to: number;
  /** `waits`: for somebody's answer. `begins`: until the agent has the prompt. */
  kind: "begins" | "works" | "waits";
}

export interface TrackMark {
  at: number;
  /** `break`: the agent died. `back`: it came back. `added`: more context was told. */
  kind: TurnShape | "break" | "back" | "added";
  words: string;
}

export interface Track {
  from: number;
  to: number;
  strokes: readonly TrackStroke[];
  marks: readonly TrackMark[];
  /** It goes on. */
  isOpen: boolean;
}

/** `now` is where an attempt that goes on ends so far. */
export const trackOf = (
  attempt: Attempt,
  events: readonly TaskEvent[],
  now: number,
): Track => {
  const from = Date.parse(attempt.started_at);
  const isOpen = attempt.ended_at === undefined;
  const own = events.filter((event) => attemptIn(event) === attempt.id);
  const to = Math.max(
    from,
    attempt.ended_at === undefined ? now : Date.parse(attempt.ended_at),
  );
  const marks = own.flatMap((event) => marksOf(event, attempt));
  if (isOpen && attempt.state === "running")
    marks.push({ at: to, kind: "running", words: "It works." });
  return { from, to, strokes: strokesOf(own, from, to), marks, isOpen };
};

const attemptIn = ({ data }: TaskEvent): string | null =>
  "attempt_id" in data ? data.attempt_id : null;

const strokesOf = (
  events: readonly TaskEvent[],
  from: number,
  to: number,
): TrackStroke[] => {
  const strokes: TrackStroke[] = [];
  let open: TrackStroke = { from, to, kind: "begins" };
  const turn = (at: number, kind: TrackStroke["kind"]): void => {
    if (at > open.from) strokes.push({ ...open, to: at });
    open = { from: at, to, kind };
  };
  for (const event of events) {
    const at = Date.parse(event.at);
    if (event.type === "task.attempt.clock")
      turn(at, event.data.is_working ? "works" : "waits");
    else if (event.type === "task.prompt.over" && open.kind === "begins")
      turn(at, "works");
  }
  if (to > open.from || strokes.length === 0) strokes.push(open);
  return strokes;
};

const shapes = {
  completed: "dot",
  cancelled: "small_dot",
  withdrawn: "small_dot",
  refused: "cross",
  failed: "cross",
  interrupted: "cut",
  uncertain: "uncertain",
} as const;

const endings = {
  completed: "The prompt was done.",
  cancelled: "The turn was cancelled.",
  withdrawn: "The prompt was withdrawn.",
  refused: "The agent refused.",
  failed: "The turn failed.",
  interrupted: "The turn was cut off.",
  uncertain: "Nobody knows whether the agent took the prompt.",
} as const;

const marksOf = (
  event: TaskEvent,
  { outcome: of, resume }: Attempt,
): TrackMark[] => {
  const at = Date.parse(event.at);
  switch (event.type) {
    case "task.prompt.over": {
      const { outcome, reason } = event.data;
      const words = [endings[outcome], ...(reason ? [reason.text] : [])];
      return [
        { at, kind: shapes[outcome], words: words.join(" ") },
        ...(of === "interrupted" && reason?.code === DEATH
          ? [{ at, kind: "break" as const, words: "The agent died." }]
          : []),
      ];
    }
    case "task.attempt.resumed":
      return [
        {
          at,
          kind: "back",
          words: `The agent came back${resume?.grade ? `: ${resume.grade}` : ""}.`,
        },
      ];
    case "task.attempt.extended":
      return [{ at, kind: "added", words: "More context was told." }];
    case "task.attempt.timed_out":
      return [{ at, kind: "cross", words: "Its time was used up." }];
    default:
      return [];
  }
};

/** Of a turn that neither a person nor a quota cut off. */
const DEATH = "interrupted";

/** What each attempt has spent by itself: a session's sum grows over the attempts that go on in it. */
export const spentBy = (
  attempts: readonly Attempt[],
  events: readonly TaskEvent[],
): Map<string, Spent> => {
  const sums = new Map<string, Spent>();
  const result = new Map<string, Spent>();
  const sessions = new Map(attempts.map((each) => [each.id, each.session_id]));
  for (const event of events) {
    if (event.type !== "task.attempt.ended") continue;
    const { attempt_id, spent = null } = event.data;
    const session = sessions.get(attempt_id) ?? null;
    if (spent === null || session === null) continue;
    result.set(attempt_id, less(spent, sums.get(session)));
    sums.set(session, spent);
  }
  return result;
};

const less = (sum: Spent, before: Spent | undefined): Spent =>
  before === undefined
    ? sum
    : {
        turns: sum.turns - before.turns,
        minutes: sum.minutes - before.minutes,
        tokens: difference(sum.tokens, before.tokens),
        cost: difference(sum.cost, before.cost),
      };

const difference = (
  sum: number | null,
  before: number | null,
): number | null => (sum === null ? null : sum - (before ?? 0));
