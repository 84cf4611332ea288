import { setTimeout as pause } from "node:timers/promises";
import type { Agent } from "../../agents/agent/agent.ts";
import type { ContentBlock } from "../../contract/base/content.ts";
import type {
  ExecutionId,
  PermissionId,
  PromptId,
  SessionId,
} from "../../contract/base/id.ts";
import type { ReportItem, StartFailure } from "../../contract/link/report.ts";
import type { Restriction } from "../../contract/agent/restriction.ts";
import type { Resume } from "../../contract/agent/resume.ts";
import type { Line } from "../../kit/data/ndjson.ts";
import { Lane } from "../../kit/time/lanes.ts";
import { unreachable } from "../../kit/unreachable.ts";
import type { Timeline } from "./journal/timeline.ts";
import type { Conversation, Speech } from "./report/conversation.ts";
import type { Effect, Outgoing, Want } from "../drivers/driver.ts";
import { factsSince } from "./journal/facts.ts";
import { type History, isDone } from "./journal/history.ts";
import type { AgentFiles } from "./hold/files.ts";
import { reasonOf } from "../base/log.ts";
import type { Owner } from "../base/owners.ts";
import type { Daemon } from "../daemon/daemon.ts";
import type { NoticeFacts, Ordered } from "./journal/record.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import { Reporter, type SendReport } from "./report/reporter.ts";
import type { Sender } from "./report/sender.ts";
import { Tail } from "./report/tail.ts";
import { TranscriptMarker } from "./journal/transcript.ts";

/**
 * One agent process and everything held for it.
 *
 *     orders ──► conversation ──► sender ──► stdin
 *                    ▲                          agent
 *     reports ◄── reporter ◄──── tail ◄───── stdout
 *
 * What is done is journalled; `history` is what the journal amounts to. Bringing an agent up, taking it over from an
 * agentctl that is gone and ending it are stories of their own: `bring-up.ts`, `adopt.ts`, `end.ts`.
 */
export class Execution {
  readonly daemon: Daemon;
  readonly ordered: Ordered;
  readonly files: AgentFiles;
  /** Null when the registry does not know it any more. */
  readonly agent: Agent | null;
  readonly speech: Speech;
  readonly timeline: Timeline;
  /** How far stdout has been read. */
  readTo: number;
  /** The environment its agent runs with, for finding the agent's own session files. */
  env: Record<string, string> = {};
  /** Its workspace against the newest checkpoint, when somebody looked. */
  workspace: Resume["workspace"] = null;
  /** Its agent's own session was put in place for it: the server has no mark of that file yet. */
  isPutBack = false;
  /** Resolves when `ended` is journalled. */
  readonly ended = Promise.withResolvers<void>();
  /** Resolves when the agent has closed its session, or cannot. */
  readonly closed = Promise.withResolvers<void>();
  /** Set when its end has begun to be concluded: that is done once. */
  concluding: Promise<void> | null = null;
  /** Called when the agent cannot be brought up. */
  onFailed: (
    failure: StartFailure,
    message: string,
    restriction?: Restriction,
  ) => void = () => undefined;
  /** Called when stdout is shorter than what was heard of it. */
  onOutputLost: () => void = () => undefined;
  #left = false;
  #conversation: Conversation | null = null;
  #sender: Sender | null = null;
  #tail: Tail | null = null;
  readonly #marking = new Lane();
  readonly #reporter: Reporter;
  readonly #marker = new TranscriptMarker();
  /** Prompts on their way to the agent. */
  readonly #underway = new Set<PromptId>();
  /** Wants from before there was an agent. */
  readonly #early: Want[] = [];

  constructor(parts: ExecutionParts) {
    this.daemon = parts.daemon;
    this.ordered = parts.ordered;
    this.files = parts.files;
    this.agent = parts.agent;
    this.speech = parts.speech;
    this.timeline = parts.timeline;
    this.readTo = parts.readTo;
    const { epoch } = this;
    this.#reporter = new Reporter(
      {
        path: this.files.stdout,
        tell: (line) =>
          this.speech.tell(line, {
            epoch,
            ready: this.history.ready,
            counts: this.agent?.quirks?.counts ?? "turn",
            login: this.agent?.login,
          }),
        onRoom: () => this.#tail?.goOn(),
        onError: (error) => this.log("cannot read stdout again", error),
      },
      this.readTo,
    );
    this.timeline.onFact = (fact) => this.#reporter.add(fact);
    this.timeline.onError = (error) => this.log("cannot journal", error);
  }

  get id(): ExecutionId {
    return this.ordered.execution_id;
  }
  get owner(): Owner {
    return this.ordered.owner ?? null;
  }
  get session(): SessionId {
    return this.ordered.session_id;
  }
  get epoch(): number {
    return this.ordered.epoch;
  }
  get history(): History {
    return this.timeline.history;
  }
  /** Everything the agent starts bears it. */
  get mark(): string {
    return markOf(this.id);
  }
  /** We let go of it: what happens to it now is another agentctl's business. */
  get left(): boolean {
    return this.#left;
  }

  /** A second delivery of the same prompt changes nothing. */
  async prompt(prompt_id: PromptId, content: ContentBlock[]): Promise<void> {
    const { taken } = this.history;
    if (this.#underway.has(prompt_id) || taken.includes(prompt_id)) return;
    this.#underway.add(prompt_id);
    try {
      await this.timeline.recordDurably({ kind: "handed", prompt_id });
    } catch (error) {
      this.#underway.delete(prompt_id);
      throw error;
    }
    this.want({ kind: "prompt", prompt_id, content });
  }

  /** Only what the agent still waits for can be answered. */
  answer(permission_id: PermissionId, option_id: string | null): void {
    if (!this.#conversation?.isAsked(permission_id))
      throw new LinkError(
        "permission_closed",
        `${permission_id} waits for no answer`,
      );
    this.want({ kind: "answer", permission_id, option_id });
  }

  /** One that is over is told when somebody attaches, and not made again. */
  change(want: Extract<Want, { kind: "change" }>): void {
    if (!this.history.changes.includes(want.change)) this.want(want);
  }

  want(want: Want): void {
    if (this.#conversation === null) this.#early.push(want);
    else this.#apply(this.#conversation.want(want));
  }

  /** From now on reports go to `send`, beginning with what follows `from`. Returns how to end that. */
  attach(send: SendReport, from: number): () => void {
    const { ready } = this.history;
    const known: ReportItem[] =
      ready !== null && ready.range.to <= from
        ? [{ ...ready, range: null }]
        : [];
    const facts = factsSince(this.timeline.facts, this.history, from);
    const { outputLost } = this.history;
    const start = outputLost ? this.readTo : from;
    return this.#reporter.attach(send, start, known, facts);
  }

  acknowledge(number: number, to: number): void {
    if (to >= this.history.acknowledged + ACKNOWLEDGED_STEP)
      this.timeline.record({ kind: "acknowledged", to });
    this.#reporter.acknowledge(number);
  }

  /** Resolves when everything the agent has said up to now is heard. */
  async catchUp(): Promise<void> {
    await this.#tail?.catchUp();
  }

  /** Begins to listen and, with a sender, to talk. */
  hold(conversation: Conversation, sender: Sender | null): void {
    this.#conversation = conversation;
    this.#sender = sender;
    this.daemon.disk.watch(this);
    this.daemon.output.watch(this);
    const reader = {
      lines: (lines: Line[]) => this.#read(lines),
      shrunk: () => this.onOutputLost(),
      hasEnough: () => this.#reporter.hasEnough,
    };
    const { files, readTo, daemon } = this;
    this.#tail = new Tail(files.stdout, readTo, reader, daemon.sweep);
    this.#apply(conversation.first);
    for (const want of this.#early.splice(0)) this.want(want);
  }

  /** Reads what an agent that is gone wrote last, and does what follows from it. */
  async release(): Promise<void> {
    this.#sender?.close();
    await this.#tail?.finish();
    await this.#marking.drain();
  }

  /** Finishes the message at hand and lets go; the agent goes on. */
  async leave(): Promise<void> {
    this.#left = true;
    await Promise.race([
      this.#sender?.drain(),
      pause(LEAVE_MS, undefined, { ref: false }),
    ]);
    this.#sender?.close();
    this.#tail?.close();
    this.#reporter.detach();
    this.timeline.close();
  }

  /** The message was not taken: it may be handed over again. */
  notTaken({ purpose }: Outgoing): void {
    if (purpose.kind === "prompt") this.#underway.delete(purpose.prompt_id);
  }

  notice(code: string, text: string, facts: NoticeFacts = {}): void {
    const at = this.readTo;
    this.timeline.record({ kind: "notice", at, code, text, ...facts });
  }

  log(words: string, error?: unknown): void {
    this.daemon.log(words, {
      execution: this.id,
      ...(error === undefined ? {} : { error: reasonOf(error) }),
    });
  }

  #read(lines: readonly Line[]): void {
    this.daemon.speakers.spoke(this.session);
    for (const line of lines) {
      this.readTo = line.to;
      if (this.#conversation) this.#apply(this.#conversation.interpret(line));
      this.#reporter.noteRead(line);
    }
    this.#reporter.go();
  }

  #apply(effects: readonly Effect[]): void {
    for (const effect of effects) this.#applyOne(effect);
  }

  /** Words may be heard a second time, by a successor: nothing is done twice because of them. */
  #applyOne(effect: Effect): void {
    const { history, timeline } = this;
    switch (effect.kind) {
      case "send":
        if (!isDone(history, effect.message.purpose))
          this.#sender?.queue(effect.message);
        return;
      case "opened":
        if (history.ready !== null) return;
        timeline.record({
          kind: "opened",
          ready: {
            ...effect.ready,
            workspace: this.workspace ?? history.workspace,
          },
        });
        // Without it, an agent that dies before its first turn ends could not be resumed natively.
        if (this.isPutBack && effect.ready.opened !== "new") this.#mark();
        void this.daemon.seen.tellGone(this);
        return;
      case "failed":
        this.onFailed(effect.failure, effect.message, effect.restriction);
        return;
      case "turn_ended": {
        const { prompt_id, token } = effect;
        if (history.turnEnds.some((it) => it.prompt_id === prompt_id)) return;
        timeline.record({
          kind: "turn_ended",
          prompt_id,
          at: this.readTo,
          ...(token === null ? {} : { token }),
        });
        this.#mark();
        void this.daemon.seen.keep(this);
        return;
      }
      case "changed":
      case "change_refused":
        timeline.record({ ...effect, at: this.readTo });
        return;
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

  #mark(): void {
    void this.#marking.run(() => this.#markTranscript());
  }

  async #markTranscript(): Promise<void> {
    const { ready } = this.history;
    const token = this.history.token ?? ready?.native_session_id ?? null;
    if (token === null || !this.agent?.transcript || this.#left) return;
    const { env, ordered } = this;
    const where = { home: env["HOME"] ?? "", cwd: ordered.cwd, env };
    try {
      const path = await this.agent.transcript(where, token);
      const mark = path === null ? null : await this.#marker.mark(path);
      if (mark !== null && !this.#left)
        this.timeline.record({ kind: "transcript", at: this.readTo, ...mark });
    } catch (error) {
      this.log("cannot mark the agent's session file", error);
    }
  }
}

export type ExecutionParts = Pick<
  Execution,
  "daemon" | "ordered" | "files" | "agent" | "speech" | "timeline" | "readTo"
>;

export const markOf = (id: ExecutionId): string => `REPRISE_EXECUTION=${id}`;

/** A message that an agent does not read is finished by our successor. */
const LEAVE_MS = 2000;

/** Acknowledgements are journalled now and then: after a lost one, items are reported once more. */
const ACKNOWLEDGED_STEP = 64 * 1024;
