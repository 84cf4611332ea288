/** given(commands) · when(command) · then(events), and the pieces of a story. For tests. */
import assert from "node:assert/strict";
import type { Capture } from "../contract/session/checkpoint.ts";
import type { Event, EventDataOf, EventType } from "../contract/event/event.ts";
import { ExecutionId, PromptId, SessionId } from "../contract/base/id.ts";
import type { ProblemCode } from "../contract/problem/problem.ts";
import { laterBy } from "../kit/time/elapsed.ts";
import { LOCAL } from "../contract/base/place.ts";
import type { ReportItem } from "../contract/link/report.ts";
import type { Command, Create } from "./state/command.ts";
import { decideCreate } from "./decide/create.ts";
import { decide } from "./decide/decide.ts";
import type { Decision } from "./decide/decision.ts";
import { evolve } from "./evolve/evolve.ts";
import { abilities, readyItem } from "./fixtures/report-items.ts";
import type { State } from "./state/state.ts";
import type { WorldReport } from "./state/world-report.ts";

export { abilities, askItem, readyItem } from "./fixtures/report-items.ts";

const padded = (n: number): string => String(n).padStart(26, "0");
export const SESSION = SessionId.parse(`ses_${padded(1)}`);
export const prompt = (n: number): PromptId =>
  PromptId.parse(`prm_${padded(n)}`);
export const execution = (n: number): ExecutionId =>
  ExecutionId.parse(`exe_${padded(n)}`);

export const creation = (overrides: Partial<Create> = {}): Create => ({
  session_id: SESSION,
  task_id: null,
  name: null,
  definition: { agent: "demo", home: "user", env_names: [] },
  abilities: abilities(),
  place: LOCAL,
  cwd: "/work",
  worktree: null,
  on_interrupt: "wait",
  parent: null,
  prompt: null,
  checkpoints: false,
  origin: null,
  ...overrides,
});

/** A hash that stands for a tree. */
export const tree = (n: number): string => n.toString(16).padStart(64, "0");

export const capture = (
  n: number,
  overrides: Partial<Capture> = {},
): Capture => ({
  outcome: "saved",
  reason: null,
  tree: overrides.outcome === "failed" ? null : tree(n),
  agent_state: null,
  files: 1,
  bytes: 1,
  new_bytes: 1,
  took_ms: 1,
  unstable: [],
  unreadable: [],
  left_out: [],
  ...overrides,
});

export const at = (second: number): string =>
  laterBy("2026-01-01T00:00:00.000Z", second * 1000);

/** An event, by its type alone or with some of what it says. */
export type ExpectedEvent =
  | EventType
  | { [T in EventType]: { type: T; data: Partial<EventDataOf<T>> } }[EventType];

/** A session with its journal, told step by step. */
export class Story {
  readonly events: Event[] = [];
  #decision: Decision;
  #second = 0;

  constructor(overrides: Partial<Create> = {}) {
    this.#decision = this.#take(decideCreate(creation(overrides), at(0)));
  }

  get state(): State {
    const state = this.events.reduce<State | null>(evolve, null);
    assert.ok(state !== null);
    return state;
  }

  /** Where the session stands. */
  get name(): string {
    return this.state.lifecycle.name;
  }

  /** Issues commands that must be accepted. */
  given(...commands: Command[]): this {
    for (const command of commands) {
      const decision = this.when(command).decision;
      assert.equal(decision.kind, "events", JSON.stringify(decision));
    }
    return this;
  }

  /** Issues a command, whatever comes of it. Its events, if any, are part of the story. */
  when(command: Command): this {
    this.#second += 1;
    const decision = decide(this.state, command, at(this.#second));
    this.#decision = this.#take(decision);
    return this;
  }

  /** What a command would do, without doing it. */
  decide(command: Command): readonly Event[] {
    const decision = decide(this.state, command, at(this.#second + 1));
    assert.ok(decision.kind === "events", JSON.stringify(decision));
    return decision.events;
  }

  /** What came of the newest command. */
  get decision(): Decision {
    return this.#decision;
  }

  /** The newest command gave exactly these events, in this order. Of their data, what is said must be so. */
  thenEvents(...expected: ExpectedEvent[]): this {
    const decision = this.#decision;
    assert.ok(decision.kind === "events", JSON.stringify(decision));
    assert.deepEqual(
      decision.events.map(({ type }) => type),
      expected.map((each) => (typeof each === "string" ? each : each.type)),
    );
    for (const [i, each] of expected.entries())
      if (typeof each !== "string")
        assert.partialDeepStrictEqual(decision.events[i]?.data, each.data);
    return this;
  }

  /** The newest command was refused. The refusal names the state. */
  thenRefused(code: ProblemCode, words?: RegExp): this {
    const decision = this.#decision;
    assert.ok(decision.kind === "refused", JSON.stringify(decision));
    assert.deepEqual([decision.code, decision.state], [code, this.name]);
    if (words !== undefined) assert.match(decision.detail, words);
    return this;
  }

  /** The workspace is found as it was left, where it is looked at before the turn. */
  queue(n: number, text = `prompt ${n}`): this {
    return this.ask(n, text).found();
  }

  /** Only that: before the turn, the workspace may have to be looked at. */
  ask(n: number, text = `prompt ${n}`): this {
    return this.given({
      type: "prompt.queue",
      prompt_id: prompt(n),
      content: [{ type: "text", text }],
    });
  }

  begin(
    n: number | ExecutionId = this.state.executions_so_far.epoch + 1,
    seen: Partial<WorldReport> = {},
    overrides: { credentials?: string; without?: readonly string[] } = {},
  ): this {
    return this.given({
      type: "execution.begin",
      execution_id: typeof n === "number" ? execution(n) : n,
      term: 1,
      report: {
        agent: "gone",
        workspace: "directory",
        installed: true,
        transcript: "present",
        survivors: [],
        ...seen,
      },
      agentctl: {
        runtime: "standalone",
        url: "unix:/socket",
        pid: 1,
        build: "0",
      },
      ...overrides,
    });
  }

  /** The checkpoint that is due is taken. */
  captured(n: number, overrides: Partial<Capture> = {}): this {
    const { due } = this.state.checkpoints;
    assert.ok(due !== null, "no checkpoint is due");
    return this.given({
      type: "checkpoint.report",
      ...due,
      capture: capture(n, overrides),
      token: this.state.agent.token,
    });
  }

  /** The workspace is looked at before a turn, and is as it was left. */
  found(): this {
    const { checkpoints, workspace, agent } = this.state;
    const { due, newest } = checkpoints;
    if (due?.kind !== "start" || workspace.shared || newest === null)
      return this;
    const same = { ...capture(0), tree: newest.tree };
    return this.given({
      type: "checkpoint.report",
      ...due,
      capture: same,
      token: agent.token,
    });
  }

  report(...items: ReportItem[]): this {
    return this.given({
      type: "execution.report",
      epoch: this.state.executions_so_far.epoch,
      items,
    });
  }

  ready(overrides: Partial<Extract<ReportItem, { kind: "ready" }>> = {}): this {
    return this.report(readyItem(this.words(10), overrides)).found();
  }

  /** The agent is up and waits for a prompt. */
  up(): this {
    return this.begin().ready();
  }

  deliver(n: number): this {
    return this.report({
      kind: "prompt_delivered",
      range: null,
      prompt_id: prompt(n),
    });
  }

  say(text: string): this {
    return this.report({
      kind: "text",
      role: "agent",
      text,
      range: this.words(text.length),
    });
  }

  endTurn(n: number, stop_reason = "end_turn"): this {
    return this.report({
      kind: "turn_ended",
      prompt_id: prompt(n),
      stop_reason,
      usage: null,
      error: null,
      range: this.words(5),
    });
  }

  /** Nothing happens for a while. */
  pass(seconds: number): this {
    this.#second += seconds;
    return this;
  }

  /** The agent's quota is used up in the turn of a prompt. */
  useUp(n: number, resets_at: string | null = null): this {
    return this.report({
      kind: "turn_ended",
      prompt_id: prompt(n),
      stop_reason: "error",
      usage: null,
      error: "429 quota exceeded",
      limit: { resets_at },
      range: this.words(5),
    });
  }

  die(
    not_taken: PromptId[] = [],
    ending: Extract<ReportItem, { kind: "ended" }>["ending"] = {
      kind: "killed",
      signal: "SIGKILL",
    },
  ): this {
    return this.report({
      kind: "ended",
      range: null,
      ending,
      not_taken,
      stderr_tail: "",
    });
  }

  /** The next bytes of the agent's output. */
  words(length: number): { from: number; to: number } {
    const from = this.state.execution?.offset ?? 0;
    return { from, to: from + length };
  }

  types(): EventType[] {
    return this.events.map(({ type }) => type);
  }

  /** The states it went through. */
  path(): string[] {
    return this.events.flatMap((event) =>
      event.type === "session.state_changed" ? [event.data.to] : [],
    );
  }

  /** What the newest event of a type says. */
  last<T extends EventType>(type: T): EventDataOf<T> {
    const newest = this.events.findLast((event) => event.type === type);
    assert.ok(newest !== undefined, `no ${type} in ${this.types().join(" ")}`);
    // The compiler does not follow a type parameter through a union.
    return newest.data as unknown as EventDataOf<T>;
  }

  #take(decision: Decision): Decision {
    if (decision.kind === "events") this.events.push(...decision.events);
    return decision;
  }
}
