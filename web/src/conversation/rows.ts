/**
 * The rows of a conversation: what the list draws, one by one. Each turn is a prompt, what was said and done, and a foot;
 * behind it stands what happened before the next one. Rows of a turn stay the same objects until the turn changes.
 */
import type { Message } from "../../../src/contract/session/message.ts";
import type { Mark, TurnMark } from "../line/mark.ts";
import type {
  Plan,
  SessionView,
  ToldText,
  TurnView,
} from "../store/open-session.ts";
import { standingOf } from "./tool-words.ts";

export type Row = { readonly key: string; readonly turn: number } & (
  | { kind: "prompt"; message: Message; behind: boolean }
  | { kind: "plan"; plan: Plan }
  /** `isLive`: more of it may come. */
  | { kind: "say"; message: Message; isLive: boolean }
  | { kind: "thought"; message: Message; isLive: boolean }
  | { kind: "tool"; message: Message; isOver: boolean }
  /** Finished calls in a row. */
  | { kind: "tools"; messages: readonly Message[] }
  | { kind: "notice"; message: Message }
  | { kind: "working" }
  | {
      kind: "foot";
      mark: TurnMark;
      startedAt: string | null;
      endedAt: string | null;
    }
  /** `told`: what the agent was given as text behind it. */
  | { kind: "mark"; mark: Mark; told: ToldText | null }
);

/** Remembers the rows of turns, so that a chunk of the newest turn makes rows of that turn alone. */
export class RowsOf {
  #turns = new WeakMap<TurnView, { plan: Plan | null; rows: readonly Row[] }>();

  rows({ turns, plan }: Pick<SessionView, "turns" | "plan">): Row[] {
    const newest = turns.at(-1);
    return turns.flatMap((turn) =>
      this.#rowsOf(
        turn,
        turn === newest && plan?.turn === turn.turn ? plan : null,
      ),
    );
  }

  #rowsOf(turn: TurnView, plan: Plan | null): readonly Row[] {
    const known = this.#turns.get(turn);
    if (known?.plan === plan) return known.rows;
    const rows = rowsOfTurn(turn, plan);
    this.#turns.set(turn, { plan, rows });
    return rows;
  }
}

export const rowsOfTurn = (
  { turn, messages, mark, afterwards, told, startedAt, endedAt }: TurnView,
  plan: Plan | null,
): Row[] => {
  const isOver =
    mark === null || (mark.outcome !== "running" && mark.outcome !== "asks");
  const prompts = messages.filter(({ role }) => role === "user");
  const others = messages.filter(({ role }) => role !== "user");
  const rows: Row[] = prompts.map((message) => ({
    key: message.id,
    turn,
    kind: "prompt",
    message,
    behind: mark?.behind ?? false,
  }));
  if (plan !== null && plan.entries.length > 0 && !isOver)
    rows.push({ key: `plan-${turn}`, turn, kind: "plan", plan });
  rows.push(...saidAndDone(others, { turn, isOver }));
  if (!isOver && mark?.outcome === "running")
    rows.push({ key: `working-${turn}`, turn, kind: "working" });
  if (isOver && mark !== null)
    rows.push({
      key: `foot-${turn}`,
      turn,
      kind: "foot",
      mark,
      startedAt,
      endedAt,
    });
  rows.push(
    ...afterwards.map((mark, at): Row => ({
      key: `then-${turn}-${at}`,
      turn,
      kind: "mark",
      mark,
      told: at === afterwards.length - 1 ? told : null,
    })),
  );
  return rows;
};

const saidAndDone = (
  messages: readonly Message[],
  { turn, isOver }: { turn: number; isOver: boolean },
): Row[] => {
  const rows: Row[] = [];
  const last = messages.at(-1);
  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at];
    if (message === undefined) continue;
    const { id: key, role, tool } = message;
    const isLive = message === last && !isOver;
    if (role === "tool" && tool !== undefined) {
      const run = finishedFrom(messages, at);
      if (run.length > 1) {
        rows.push({ key, turn, kind: "tools", messages: run });
        at += run.length - 1;
      } else rows.push({ key, turn, kind: "tool", message, isOver });
    } else if (role === "thought")
      rows.push({ key, turn, kind: "thought", message, isLive });
    else if (role === "notice")
      rows.push({ key, turn, kind: "notice", message });
    else if (message.text.trim() !== "")
      rows.push({ key, turn, kind: "say", message, isLive });
  }
  return rows;
};

/** Calls that fold into one line. What runs, what failed and what changed files stays in sight. */
const finishedFrom = (
  messages: readonly Message[],
  from: number,
): Message[] => {
  const run: Message[] = [];
  for (let at = from; at < messages.length; at += 1) {
    const message = messages[at];
    if (message === undefined || !folds(message)) break;
    run.push(message);
  }
  return run;
};

const folds = ({ role, tool }: Message): boolean =>
  role === "tool" &&
  tool !== undefined &&
  standingOf(tool) === "done" &&
  (tool.diffs ?? []).length === 0;
