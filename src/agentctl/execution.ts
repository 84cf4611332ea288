import type { Agent } from "../agents/agent.ts";
import type { ContentBlock } from "../contract/content.ts";
import type {
  ExecutionId,
  PermissionId,
  PromptId,
  SessionId,
} from "../contract/id.ts";
import type { ReportItem, StartFailure } from "../contract/report.ts";
import { unreachable } from "../kit/unreachable.ts";
import type { Line } from "../kit/ndjson.ts";
import type { Conversation } from "./conversation.ts";
import type { Effect, Outgoing, Want } from "./drivers/driver.ts";
import { blank, evolve, factsSince, type History } from "./history.ts";
import type { AgentFiles } from "./hold/files.ts";
import { AgentStdin } from "./hold/stdin.ts";
import type { Journal } from "./journal.ts";
import { reasonOf } from "./log.ts";
import type { Place } from "./place.ts";
import type { JournalRecord, Ordered } from "./record.ts";
import { Reporter } from "./reporter.ts";
import { Sender } from "./sender.ts";
import { Tail } from "./tail.ts";
import { TranscriptMarker } from "./transcript.ts";

/**
 * One agent process and everything held for it.
 *
 *     orders ──► conversation ──► sender ──► stdin
 *                    ▲                          agent
 *     reports ◄── reporter ◄──── tail ◄───── stdout
 *
 * What is done is journalled; `history` is the fold of the journal. Bringing an agent up and ending it are stories of
 * their own: see `bring-up.ts` and `end.ts`.
 */
export class Execution {
  readonly ordered: Ordered;
  readonly files: AgentFiles;
  readonly place: Place;
  readonly agent: Agent;
  history: History = blank;
  /** How far stdout has been heard. */
  heard = 0;
  conversation: Conversation | null = null;
  /** Resolves when `ended` is journalled. */
  readonly ended = Promise.withResolvers<void>();
  /** Resolves when the agent has closed its session, or cannot. */
  readonly closed = Promise.withResolvers<void>();
  /** Called when the agent cannot be brought up. */
  onFailed: (failure: StartFailure, message: string) => void = () => undefined;
  /** The environment its agent runs with, for finding its own session files. */
  env: Record<string, string> = {};
  readonly #journal: Journal;
  readonly #reporter: Reporter;
  readonly #marker = new TranscriptMarker();
  readonly #wanted: Want[] = [];
  #tail: Tail | null = null;
  #sender: Sender | null = null;
  #marking: Promise<void> = Promise.resolve();

  constructor(
    place: Place,
    agent: Agent,
    ordered: Ordered,
    files: AgentFiles,
    journal: Journal,
  ) {
    this.place = place;
    this.agent = agent;
    this.ordered = ordered;
    this.files = files;
    this.#journal = journal;
    this.#reporter = new Reporter(
      {
        path: files.stdout,
        tell: (line) => this.#tell(line),
        onError: (error) => this.log("cannot read stdout again", error),
      },
      0,
    );
  }

  get id(): ExecutionId {
    return this.ordered.execution_id;
  }
  get session(): SessionId {
    return this.ordered.session_id;
  }
  get epoch(): number {
    return this.ordered.epoch;
  }
  get mark(): string {
    return `REPRISE_EXECUTION=${this.id}`;
  }

  // Orders

  /** Answered from the journal when the prompt was handed over before. */
  async prompt(prompt_id: PromptId, content: ContentBlock[]): Promise<void> {
    if (this.history.handed.includes(prompt_id)) return;
    this.record({ kind: "handed", prompt_id });
    await this.#journal.flush();
    this.want({ kind: "prompt", prompt_id, content });
  }

  answer(permission_id: PermissionId, option_id: string | null): void {
    this.want({ kind: "answer", permission_id, option_id });
  }

  want(want: Want): void {
    if (this.conversation === null) this.#wanted.push(want);
    else this.#apply(this.conversation.want(want));
  }

  /** From now on reports go to `send`, beginning with what follows `from`. */
  attach(
    send: (number: number, items: ReportItem[]) => void,
    from: number,
  ): void {
    const { ready } = this.history;
    const before: ReportItem[] =
      ready !== null && ready.range.to <= from
        ? [{ ...ready, range: null }]
        : [];
    this.#reporter.attach(send, from, before, factsSince(this.history, from));
  }

  detach(): void {
    this.#reporter.detach();
  }

  acknowledge(number: number, to: number): void {
    const { acknowledged } = this.history;
    if (to > acknowledged + ACKNOWLEDGED_STEP)
      this.record({ kind: "acknowledged", to });
    this.#reporter.acknowledge(number);
  }

  // What the stories of bringing up and ending use

  /** Starts to listen and to talk. */
  hold(conversation: Conversation): void {
    this.conversation = conversation;
    this.#sender = this.#makeSender();
    this.#tail = new Tail(this.files.stdout, this.heard, (lines) =>
      this.#hear(lines),
    );
    this.#apply(conversation.begin());
    for (const want of this.#wanted.splice(0)) this.want(want);
  }

  /** Hears the agent's last words, and whatever is still to be done because of them. */
  async release(): Promise<void> {
    this.#sender?.close();
    await this.#tail?.finish();
    await this.#marking;
  }

  /** Finishes the message at hand and lets go; the agent goes on. */
  async leave(): Promise<void> {
    await this.#sender?.drain();
    this.#tail?.close();
    this.#sender?.close();
    this.detach();
    this.#journal.close();
  }

  record(record: JournalRecord): void {
    this.#journal.append(record);
    this.#remember(record);
  }

  async recordDurably(record: JournalRecord): Promise<void> {
    this.#journal.append(record);
    await this.#journal.flush();
    this.#remember(record);
  }

  log(words: string, error?: unknown): void {
    this.place.log(words, {
      execution: this.id,
      ...(error === undefined ? {} : { error: reasonOf(error) }),
    });
  }

  // Hearing and telling

  #hear(lines: readonly Line[]): void {
    for (const line of lines) {
      this.heard = line.to;
      if (this.conversation) this.#apply(this.conversation.hear(line));
      this.#reporter.hear(line);
    }
    this.#reporter.go();
  }

  #tell(line: Line): ReportItem | null {
    const { epoch } = this;
    const { ready } = this.history;
    return this.conversation?.tell(line, { epoch, ready }) ?? null;
  }

  #apply(effects: readonly Effect[]): void {
    for (const effect of effects) this.#applyOne(effect);
  }

  #applyOne(effect: Effect): void {
    switch (effect.kind) {
      case "send":
        this.#sender?.send(effect.message);
        return;
      case "opened": {
        const { range } = effect.ready;
        if (range !== null)
          this.record({ kind: "opened", ready: { ...effect.ready, range } });
        return;
      }
      case "failed":
        this.onFailed(effect.failure, effect.message);
        return;
      case "turn_ended": {
        const { prompt_id } = effect;
        this.record({ kind: "turn_ended", prompt_id, at: this.heard });
        this.#marking = this.#marking.then(() => this.#markTranscript());
        return;
      }
      case "closed":
        this.closed.resolve();
        return;
      case "notice":
        this.notice(effect.code, effect.text);
        return;
      default:
        unreachable(effect);
    }
  }

  notice(code: string, text: string): void {
    this.record({ kind: "notice", at: this.heard, code, text });
  }

  async #markTranscript(): Promise<void> {
    const native = this.history.ready?.native_session_id ?? null;
    if (native === null || this.agent.transcript === undefined) return;
    try {
      const { env } = this;
      const home = env["HOME"] ?? "";
      const where = { home, cwd: this.ordered.cwd, env };
      const path = await this.agent.transcript(where, native);
      const mark = path === null ? null : await this.#marker.mark(path);
      if (path !== null && mark !== null)
        this.record({ kind: "transcript", at: this.heard, path, ...mark });
    } catch (error) {
      this.log("cannot mark the agent's session file", error);
    }
  }

  #makeSender(): Sender {
    return new Sender(
      new AgentStdin(this.files.stdin),
      {
        sent: (number, { purpose }) =>
          this.record({ kind: "sent", number, purpose }),
        committed: (number) =>
          this.recordDurably({ kind: "committed", number, at: this.heard }),
        written: (number) => this.record({ kind: "written", number }),
        stalled: (message) => this.#stalled(message),
        broken: (error) => this.log("cannot write to the agent", error),
      },
      {
        stallMs: this.place.stallMs,
        number: this.history.message?.number ?? 0,
      },
    );
  }

  #stalled(message: Outgoing): void {
    const text = "The agent does not read what it is sent.";
    if (message.purpose.kind === "open")
      this.onFailed("agent_not_reading", text);
    else this.notice("agent_not_reading", text);
  }

  #remember(record: JournalRecord): void {
    const known = this.history.facts.length;
    this.history = evolve(this.history, record);
    for (const fact of this.history.facts.slice(known))
      this.#reporter.add(fact);
  }
}

/** Acknowledgements are journalled now and then: a lost one only means that words are told once more. */
const ACKNOWLEDGED_STEP = 64 * 1024;
