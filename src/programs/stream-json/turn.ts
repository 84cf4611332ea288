import type { StopReason } from "@agentclientprotocol/sdk/unstable";
import { unreachable } from "../../kit/unreachable.ts";
import { CliProcess, type Command, type Exit } from "./cli-process.ts";
import type {
  Ask,
  Counted,
  Failure,
  Interpreted,
  Listener,
  Run,
} from "./dialect/dialect.ts";
import { jsonOf } from "./json-line.ts";
import type { ClientChannel } from "./client-channel.ts";

export interface Turn {
  run: Run;
  listener: Listener;
  /** The session it must turn out to be in, or null when any is right. */
  expected: string | null;
  /** Called once, when the CLI has said which session it works in. */
  onSession(id: string): Promise<void>;
}

export type TurnEnd =
  | {
      kind: "finished";
      stopReason: StopReason;
      usage: Counted | null;
      at: string | null;
    }
  | { kind: "failed"; failure: Failure; stderr: string };

/** Runs the CLI for one prompt. It is started once and never again: what became of the prompt is told, not repaired. */
export const takeTurn = async (
  command: Command,
  turn: Turn,
  channel: ClientChannel,
  cancel: AbortController,
): Promise<TurnEnd> => {
  const { signal } = cancel;
  const cli = CliProcess.start(command, turn.run);
  const interrupt = (): void => cli.interrupt();
  if (signal.aborted) interrupt();
  else signal.addEventListener("abort", interrupt, { once: true });
  const interpreter = new LineInterpreter(cli, turn, channel, cancel);
  try {
    for await (const line of cli.lines()) await interpreter.interpret(line);
    const exit = await cli.exited;
    return signal.aborted ? CANCELLED : interpreter.end(exit);
  } catch (error) {
    cli.kill();
    return failed("error", reasonOf(error), cli.stderrTail);
  } finally {
    signal.removeEventListener("abort", interrupt);
  }
};

const CANCELLED: TurnEnd = {
  kind: "finished",
  stopReason: "cancelled",
  usage: null,
  at: null,
};

class LineInterpreter {
  #cli: CliProcess;
  #turn: Turn;
  #channel: ClientChannel;
  #cancel: AbortController;
  #named = false;
  /** It works in another session than it was told: nothing it says belongs here. */
  #astray = false;
  #outcome: Extract<Interpreted, { kind: "finished" | "failed" }> | null = null;
  #complaint: string | null = null;
  #at: string | null = null;

  constructor(
    cli: CliProcess,
    turn: Turn,
    channel: ClientChannel,
    cancel: AbortController,
  ) {
    this.#cli = cli;
    this.#turn = turn;
    this.#channel = channel;
    this.#cancel = cancel;
  }

  async interpret(line: string): Promise<void> {
    if (line.trim() === "" || this.#astray) return;
    const json = jsonOf(line);
    const interpreted =
      json === undefined
        ? [{ kind: "unknown" as const, line: line.slice(0, SHOWN) }]
        : this.#turn.listener(json);
    for (const each of interpreted) if (!this.#astray) await this.#act(each);
  }

  end({ code, signal }: Exit): TurnEnd {
    const outcome = this.#outcome;
    if (outcome?.kind === "finished") return { ...outcome, at: this.#at };
    const stderr = this.#cli.stderrTail;
    if (outcome?.kind === "failed") return { ...outcome, stderr };
    const how = signal === null ? `with code ${code}` : `by ${signal}`;
    const why = this.#complaint === null ? "" : `: ${this.#complaint}`;
    return failed(
      "error",
      `The agent's program ended ${how} before its turn did${why}`,
      stderr,
    );
  }

  async #act(interpreted: Interpreted): Promise<void> {
    switch (interpreted.kind) {
      case "session":
        return this.#name(interpreted.id);
      case "update":
        return this.#channel.update(interpreted.update);
      case "unknown":
        return this.#channel.line(interpreted.line);
      case "ask":
        // Not waited for: the CLI goes on talking meanwhile.
        void this.#ask(interpreted.ask);
        return;
      case "reply":
        return this.#cli.tell(interpreted.line);
      case "complaint":
        this.#complaint = interpreted.message;
        return;
      case "at":
        this.#at = interpreted.message;
        return;
      case "finished":
      case "failed":
        this.#outcome ??= interpreted;
        return this.#cli.finish();
      case "known":
        return;
      default:
        unreachable(interpreted);
    }
  }

  /** A CLI that does not find a session may begin another without a word, and that is no resume. */
  async #name(id: string): Promise<void> {
    if (this.#named) return;
    this.#named = true;
    const { expected } = this.#turn;
    if (expected === null || expected === id) return this.#turn.onSession(id);
    this.#astray = true;
    this.#cli.kill();
    this.#outcome = {
      kind: "failed",
      failure: {
        kind: "unknown_session",
        message: `The agent's program began session ${id} instead of resuming ${expected}`,
      },
    };
  }

  async #ask(ask: Ask): Promise<void> {
    const answer = await this.#channel.ask(ask);
    const line = answer === null ? undefined : ask.answers.get(answer);
    // Nobody is going to choose: the turn is being cancelled.
    if (line === undefined) this.#cancel.abort();
    else this.#cli.tell(line);
  }
}

const failed = (
  kind: Failure["kind"],
  message: string,
  stderr: string,
): TurnEnd => ({ kind: "failed", failure: { kind, message }, stderr });

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** So much of a line that is no JSON. */
const SHOWN = 16 * 1024;
