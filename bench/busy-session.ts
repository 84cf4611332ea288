/** A session with a turn in progress, spoken to through the engine as agentctl's reports do. */
import type { SessionId } from "../src/contract/base/id.ts";
import type { ReportItem } from "../src/contract/link/report.ts";
import { sessionEngine } from "../src/runtime/fixtures/session-engine.ts";
import type { Store } from "../src/runtime/ports/store.ts";
import type { Engine } from "../src/runtime/sessions/session-journal.ts";
import { creation, readyItem } from "../src/session/testing.ts";
import {
  executionId,
  promptId,
  sessionId,
} from "../src/store/fixtures/conformance/sample.ts";

/** An engine that knows nothing yet but its store, as after a start. */
export const engineOn = (store: Store, term: number): Engine =>
  sessionEngine(store, term, { now: () => new Date() }).engine;

export class BusySession {
  readonly id: SessionId;
  readonly #engine: Engine;
  readonly #number: number;
  #offset = 0;
  #turns = 0;
  #words = 0;

  private constructor(engine: Engine, number: number) {
    this.#engine = engine;
    this.#number = number;
    this.id = sessionId(number);
  }

  /** Its agent is up and its first turn has begun. */
  static async begin(engine: Engine, number: number): Promise<BusySession> {
    const session = new BusySession(engine, number);
    await engine.create(creation({ session_id: session.id }));
    await session.#nextTurn();
    await engine.issue(session.id, {
      type: "execution.begin",
      execution_id: executionId(number),
      term: 1,
      report: {
        agent: "gone",
        workspace: "directory",
        installed: true,
        transcript: "present",
        survivors: [],
      },
      agentctl: { runtime: "standalone", url: "unix:/s", pid: 1, build: "0" },
    });
    await session.#report([readyItem(session.#range(100)), session.#taken()]);
    return session;
  }

  /** One report of so many pieces of text: each becomes an event. Returns how it is issued, so that only that is timed. */
  words(count: number): () => Promise<unknown> {
    const items = Array.from({ length: count }, () => this.#say());
    return () => this.#report(items);
  }

  /** One report of so many tool calls, each begun and completed. */
  calls(count: number): () => Promise<unknown> {
    const items = Array.from({ length: count }, () => this.#call()).flat();
    return () => this.#report(items);
  }

  /** Ends the turn, which leaves a snapshot, and begins another. */
  async nextTurn(): Promise<void> {
    await this.#report([this.#turnEnded()]);
    await this.#nextTurn();
    await this.#report([this.#taken()]);
  }

  /** The turn is over and the agent gone. */
  async rest(): Promise<void> {
    await this.#report([
      this.#turnEnded(),
      {
        kind: "ended",
        range: null,
        ending: { kind: "exited", code: 0 },
        not_taken: [],
        stderr_tail: "",
      },
    ]);
  }

  async #nextTurn(): Promise<void> {
    this.#turns += 1;
    await this.#engine.issue(this.id, {
      type: "prompt.queue",
      prompt_id: this.#prompt(),
      content: [{ type: "text", text: "Go on." }],
    });
  }

  #report(items: ReportItem[]): Promise<unknown> {
    return this.#engine.issue(this.id, {
      type: "execution.report",
      epoch: 1,
      items,
    });
  }

  #say(): ReportItem {
    this.#words += 1;
    const text = `words ${this.#words}`;
    return { kind: "text", role: "agent", text, range: this.#range(100) };
  }

  #call(): ReportItem[] {
    this.#words += 1;
    const id = `call_${this.#words}`;
    const begun = { id, title: "Read a file", status: "in_progress" } as const;
    const done = { id, status: "completed", output: "what it says" } as const;
    return [begun, done].map((tool) => ({
      kind: "tool",
      tool,
      range: this.#range(100),
    }));
  }

  #turnEnded(): ReportItem {
    return {
      kind: "turn_ended",
      prompt_id: this.#prompt(),
      stop_reason: "end_turn",
      usage: null,
      error: null,
      range: this.#range(100),
    };
  }

  #taken(): ReportItem {
    return { kind: "prompt_delivered", range: null, prompt_id: this.#prompt() };
  }

  #prompt() {
    return promptId(this.#number * 10_000 + this.#turns);
  }

  #range(length: number): { from: number; to: number } {
    const from = this.#offset;
    this.#offset += length;
    return { from, to: this.#offset };
  }
}

const AT_ONCE = 250;

/** So many turns of so many events each; the last one is still in progress. */
export const longSession = async (
  engine: Engine,
  number: number,
  turns: number,
  events: number,
): Promise<BusySession> => {
  const session = await BusySession.begin(engine, number);
  for (let turn = 1; turn <= turns; turn += 1) {
    for (let said = 0; said < events; said += AT_ONCE)
      await session.words(AT_ONCE)();
    if (turn < turns) await session.nextTurn();
  }
  return session;
};
