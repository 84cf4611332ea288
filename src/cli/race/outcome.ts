/** What came of each run: waits for its turn, then looks at what it changed and runs the check. */
import type { Client } from "../../client/client.ts";
import {
  type FinishedTurn,
  type TurnResult,
  lookAt,
  turnResult,
} from "../../client/turn.ts";
import type { PromptId, SessionId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { World } from "../terminal/world.ts";
import { type CheckResult, runCheck } from "./check.ts";
import type { Run } from "./start-runs.ts";
import { tellOver, tellQuestion } from "./tell.ts";

/** What is shown and printed of a run. */
export interface Outcome {
  number: number;
  agent: string;
  session_id: SessionId | null;
  prompt_id: PromptId | null;
  cwd: string | null;
  status: TurnResult["status"];
  text: string;
  error: TurnResult["error"];
  files: TurnResult["files"];
  /** Null where it is not known; `at_least` where there is more than was told. */
  lines: { added: number; removed: number; at_least: boolean } | null;
  took_ms: number | null;
  tokens: number | null;
  /** Null where there is no check, or nothing to check. */
  check: CheckResult | null;
  /** It completed, and its check passed where there is one. */
  passed: boolean;
}

/** `left` when the person pressed Ctrl-C before all were over. */
export const outcomes = async (
  world: World,
  client: Client,
  runs: readonly Run[],
  check: string | undefined,
): Promise<Outcome[] | "left"> => {
  const leave = new AbortController();
  const stopListening = world.onSignal(() => leave.abort());
  try {
    const found = await Promise.all(
      runs.map((run) => outcomeOf(world, client, run, leave.signal)),
    );
    // One after the other: checks are heavy, and may need the same port or database.
    for (const each of found) {
      each.check = await checked(world, each, check, leave.signal);
      each.passed =
        each.status === "completed" &&
        (check === undefined || each.check?.exit_code === 0);
    }
    return found;
  } catch (error) {
    if (leave.signal.aborted) return "left";
    throw error;
  } finally {
    stopListening();
  }
};

const outcomeOf = async (
  world: World,
  client: Client,
  { number, agent, started, failure }: Run,
  signal: AbortSignal,
): Promise<Outcome> => {
  const nothing = { number, agent, check: null, passed: false };
  if (started === null) {
    const error = {
      code: failure?.code ?? null,
      message: failure?.message ?? "It could not be started.",
    };
    tellOver(world, { number, agent, status: "failed", error, took_ms: null });
    return {
      ...nothing,
      session_id: null,
      prompt_id: null,
      cwd: null,
      status: "failed",
      text: "",
      error,
      files: [],
      lines: null,
      took_ms: null,
      tokens: null,
    };
  }
  const { session, prompt, cwd } = started;
  const result = await settled(
    world,
    client,
    { ...started, number, agent },
    signal,
  );
  const { turns } = await lookAt(client, session, prompt);
  const took_ms = sumOf(turns, (turn) => turn.took_ms);
  tellOver(world, { ...result, number, agent, took_ms });
  return {
    ...nothing,
    session_id: session,
    prompt_id: prompt,
    cwd,
    status: result.status,
    text: result.text,
    error: result.error,
    files: result.files,
    lines: await linesOf(client, session, turns),
    took_ms,
    tokens: sumOf(turns, ({ usage }) => usage?.total_tokens ?? null),
  };
};

/** A question is told once, and its answer is waited for. */
const settled = async (
  world: World,
  client: Client,
  run: { number: number; agent: string; session: SessionId; prompt: PromptId },
  signal: AbortSignal,
): Promise<TurnResult> => {
  for (;;) {
    const result = await turnResult(client, run.session, run.prompt, {
      signal,
    });
    if (result.status !== "needs_permission") return result;
    const { last_seq, pending_permissions } = await client.showSession(
      run.session,
    );
    for (const permission of pending_permissions)
      tellQuestion(world, run, permission);
    if (pending_permissions.length > 0)
      await answered(client, run.session, last_seq, signal);
  }
};

const answered = async (
  client: Client,
  session: SessionId,
  after: number,
  signal: AbortSignal,
): Promise<void> => {
  for await (const { type } of client.follow(session, { after, signal }))
    if (
      type === "session.permission.answered" ||
      type === "session.permission.closed"
    )
      return;
  signal.throwIfAborted();
};

/** Null where any of them is not known. */
const sumOf = (
  turns: readonly FinishedTurn[],
  figureOf: (turn: FinishedTurn) => number | null,
): number | null => {
  const figures = turns.map(figureOf);
  return figures.length === 0 || figures.includes(null)
    ? null
    : figures.reduce<number>((sum, each) => sum + (each ?? 0), 0);
};

const linesOf = async (
  client: Client,
  session: SessionId,
  turns: readonly FinishedTurn[],
): Promise<Outcome["lines"]> => {
  const first = turns[0]?.turn;
  const last = turns.at(-1)?.turn;
  if (first === undefined || last === undefined) return null;
  try {
    const { text, truncated } = await client.showDiff(session, {
      text: true,
      ...(first === last
        ? { from: String(last) }
        : { from: String(first - 1), to: String(last) }),
    });
    return { ...countLines(text ?? ""), at_least: truncated };
  } catch (error) {
    // It was not captured.
    if (error instanceof RepriseError) return null;
    throw error;
  }
};

/** Of a unified diff; its headings are not lines of a file. */
export const countLines = (
  diff: string,
): { added: number; removed: number } => {
  const counted = { added: 0, removed: 0 };
  /** How many lines of the hunk are still to come, on both sides. */
  let [old, now] = [0, 0];
  for (const line of diff.split("\n")) {
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (old <= 0 && now <= 0) {
      if (hunk !== null) {
        old = Number(hunk[1] ?? 1);
        now = Number(hunk[2] ?? 1);
      }
    } else if (line.startsWith("+")) {
      counted.added += 1;
      now -= 1;
    } else if (line.startsWith("-")) {
      counted.removed += 1;
      old -= 1;
    } else if (!line.startsWith("\\")) {
      old -= 1;
      now -= 1;
    }
  }
  return counted;
};

const checked = async (
  world: World,
  { cwd, status, took_ms }: Outcome,
  check: string | undefined,
  signal: AbortSignal,
): Promise<CheckResult | null> =>
  check === undefined ||
  cwd === null ||
  (took_ms === null && status !== "completed")
    ? null
    : runCheck(world.env, check, cwd, signal);
