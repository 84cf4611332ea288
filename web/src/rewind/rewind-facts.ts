/** What a rewind would do, in words: to files, to turns, and to what the agent remembers. */
import type {
  Change,
  RewindPlan,
} from "../../../src/contract/session/checkpoint.ts";
import { unreachable } from "../../../src/kit/unreachable.ts";
import type { Mark, TurnMark } from "../line/mark.ts";
import { counted, number } from "../words/counts.ts";

export interface Fact {
  title: string;
  text: string;
}

export const rewindFacts = ({
  plan,
  before,
  after,
  agentName,
}: {
  plan: RewindPlan;
  /** The line as it is, and as the rewind would leave it. */
  before: readonly Mark[];
  after: readonly Mark[];
  agentName: string;
}): { files: Fact; turns: Fact; memory: Fact } => ({
  files: filesFact(plan),
  turns: turnsFact(before, after),
  memory: memoryFact(plan, after, agentName),
});

const filesFact = ({ changes, truncated, turn }: RewindPlan): Fact => {
  if (changes.length === 0)
    return {
      title: "No file changes",
      text: `They are as turn ${turn} left them.`,
    };
  const count = (isCounted: (kind: Change["kind"]) => boolean): number =>
    changes.filter(({ kind }) => isCounted(kind)).length;
  const removed = count((kind) => kind === "removed");
  const returned = count((kind) => kind === "added");
  const back = changes.length - removed - returned;
  const parts = [
    ...(back === 0
      ? []
      : [
          `${number(back)} ${back === 1 ? "goes back to what it was" : "go back to what they were"}`,
        ]),
    ...(removed === 0
      ? []
      : [`${number(removed)} ${removed === 1 ? "is" : "are"} removed`]),
    ...(returned === 0
      ? []
      : [`${number(returned)} ${returned === 1 ? "returns" : "return"}`]),
  ];
  return {
    title: `${truncated ? "More than " : ""}${counted(changes.length, "file changes", "files change")}`,
    text: `${parts.join(", ")}.`,
  };
};

const turnsFact = (before: readonly Mark[], after: readonly Mark[]): Fact => {
  const wasBehind = behindIn(before);
  const isBehind = behindIn(after);
  const left = [...isBehind].filter((turn) => !wasBehind.has(turn));
  const returned = [...wasBehind].filter((turn) => !isBehind.has(turn));
  const again =
    returned.length === 0
      ? []
      : [
          `${capital(turnsWords(returned))} ${returned.length === 1 ? "is" : "are"} on the line again.`,
        ];
  if (left.length === 0)
    return {
      title: "No turn is left behind",
      text: again[0] ?? "It is the newest one.",
    };
  return left.length === 1
    ? {
        title: `${capital(turnsWords(left))} is left behind`,
        text: [
          ...again,
          "It stays in the journal. You can fork from it, or rewind to it.",
        ].join(" "),
      }
    : {
        title: `${capital(turnsWords(left))} are left behind`,
        text: [
          ...again,
          "They stay in the journal. You can fork from them, or rewind to them.",
        ].join(" "),
      };
};

const memoryFact = (
  { conversation, turn }: RewindPlan,
  after: readonly Mark[],
  agentName: string,
): Fact => {
  const known = (memory: TurnMark["memory"]): number[] =>
    turnsOf(after)
      .filter((mark) => !mark.behind && mark.memory === memory)
      .map((mark) => mark.turn);
  const own = known("own");
  const told = known("told");
  switch (conversation) {
    case "native":
      return {
        title: `${agentName} remembers ${turnsWords(own.length > 0 ? own : [turn])}`,
        text: [
          "It gets its own memory of that moment back: native.",
          ...(told.length === 0 ? [] : [`It was told of ${turnsWords(told)}.`]),
        ].join(" "),
      };
    case "injected":
      return {
        title: `${agentName} is told of ${turnsWords(told.length > 0 ? told : [turn])}`,
        text: "It is given the conversation as text with your next prompt: injected.",
      };
    case "fresh":
      return {
        title: `${agentName} remembers nothing`,
        text: "It takes no history. It begins with your next prompt: fresh.",
      };
    default:
      return unreachable(conversation);
  }
};

const turnsOf = (marks: readonly Mark[]): TurnMark[] =>
  marks.filter((mark) => mark.kind === "turn");

const behindIn = (marks: readonly Mark[]): ReadonlySet<number> =>
  new Set(
    turnsOf(marks)
      .filter(({ behind }) => behind)
      .map(({ turn }) => turn),
  );

/** `turn 3`, `turns 6 and 7`, `turns 1 to 3, 5 and 7`; the numbers rise. */
export const turnsWords = (turns: readonly number[]): string => {
  const runs: { from: number; to: number }[] = [];
  for (const turn of turns) {
    const run = runs.at(-1);
    if (run?.to === turn - 1) run.to = turn;
    else runs.push({ from: turn, to: turn });
  }
  const parts = runs.flatMap(({ from, to }) =>
    to - from < 2
      ? from === to
        ? [String(from)]
        : [String(from), String(to)]
      : [`${from} to ${to}`],
  );
  const last = parts.at(-1) ?? "";
  const all =
    parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
  return `${turns.length === 1 ? "turn" : "turns"} ${all}`;
};

const capital = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1);

/** What somebody did besides the turns, and the rewind would take back. */
export interface PersonalWork {
  edits: readonly Change[];
  /** Commits since, the newest first; empty where HEAD stays. */
  commits: readonly { id: string; subject: string }[];
  moreCommits: number;
  movesHead: boolean;
}

/** Null where there is none: nobody has to be asked then. */
export const personalWork = (
  { edits = [], head }: Pick<RewindPlan, "edits" | "head">,
  /** In its own worktree git is the session's. */
  isOwnWorktree: boolean,
): PersonalWork | null => {
  const movesHead = !isOwnWorktree && head?.moves === true;
  if (edits.length === 0 && !movesHead) return null;
  return {
    edits,
    movesHead,
    commits: movesHead ? (head?.commits ?? []) : [],
    moreCommits: movesHead ? (head?.more_commits ?? 0) : 0,
  };
};

export const changeWord = (kind: Change["kind"]): string => {
  switch (kind) {
    case "added":
      return "returns";
    case "removed":
      return "is removed";
    case "modified":
    case "mode":
    case "type":
      return "goes back";
    default:
      return unreachable(kind);
  }
};
