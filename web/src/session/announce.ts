/** What is told to somebody who does not see the screen: turns that end, questions, breaks. Never what is being said. */
import { askWords } from "../dock/permission-words.ts";
import { breakWords } from "../conversation/break-words.ts";
import type { Mark, TurnMark } from "../line/mark.ts";
import type { SessionView } from "../store/open-session.ts";

type Heard = Pick<SessionView, "line" | "permissions">;

export const announced = (
  before: Heard,
  now: Heard,
  agentName: string,
): string[] => [
  ...questions(before, now, agentName),
  ...endedTurns(before, now),
  ...breaks(before, now),
];

const questions = (before: Heard, now: Heard, agentName: string): string[] =>
  now.permissions
    .filter(({ id }) => !before.permissions.some((known) => known.id === id))
    .map((permission) => `${askWords(permission, agentName)}.`);

const endedTurns = (before: Heard, now: Heard): string[] => {
  const known = new Map(turnsOf(before.line).map((mark) => [mark.turn, mark]));
  return turnsOf(now.line).flatMap(({ turn, outcome }) => {
    const was = known.get(turn)?.outcome;
    return (was === "running" || was === "asks") &&
      outcome !== "running" &&
      outcome !== "asks"
      ? [`Turn ${turn} ${endWords[outcome]}.`]
      : [];
  });
};

const endWords: Readonly<
  Record<Exclude<TurnMark["outcome"], "running" | "asks">, string>
> = {
  completed: "is completed",
  cancelled: "was cancelled",
  refused: "was refused",
  failed: "has failed",
  interrupted: "was cut off",
  uncertain: "is uncertain",
};

/** Breaks that are new, or whose agent is back. */
const breaks = (before: Heard, now: Heard): string[] => {
  const known = before.line.filter(isBreak);
  return now.line.filter(isBreak).flatMap((mark, at) => {
    const was = known[at];
    if (was !== undefined && (was.resume === null) === (mark.resume === null))
      return [];
    const words = breakWords(mark);
    if (words === null) return [];
    const back =
      words.grade === null
        ? ""
        : ` ${words.grade.grade ?? ""}: ${words.grade.text}`;
    return [was === undefined ? `${words.title}.${back}` : back.trim()];
  });
};

const isBreak = (mark: Mark): mark is Extract<Mark, { kind: "break" }> =>
  mark.kind === "break";

const turnsOf = (line: readonly Mark[]): TurnMark[] =>
  line.filter((mark) => mark.kind === "turn");
