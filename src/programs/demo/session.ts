import { closeSync, openSync, writeSync } from "node:fs";
import {
  RequestError,
  type AgentContext,
  type StopReason,
} from "@agentclientprotocol/sdk/unstable";
import { changesThings, type Command, commandsOf } from "./command.ts";
import { Memory } from "./memory.ts";
import type { Mode } from "./mode.ts";
import type { Voice } from "./option.ts";
import { perform } from "./perform.ts";
import { received, type Received } from "./received.ts";
import type { Entry, SessionFile } from "./session-file.ts";
import { Turn } from "./turn.ts";

export interface Habits {
  /** Whether history that is put before a prompt is taken in. */
  readsHistory: boolean;
  /** The file that gets a line for every prompt that begins. */
  ledger: string | undefined;
}

/** A session this process has open: its memory, its file, and the turn that runs, if one does. */
export class Session {
  readonly id: string;
  readonly cwd: string;
  mode: Mode = "work";
  voice: Voice = "plain";
  #file: SessionFile;
  #habits: Habits;
  #memory = new Memory();
  #running: { turn: Turn; done: Promise<StopReason> } | null = null;

  constructor(
    id: string,
    cwd: string,
    file: SessionFile,
    entries: readonly Entry[],
    habits: Habits,
  ) {
    this.id = id;
    this.cwd = cwd;
    this.#file = file;
    this.#habits = habits;
    for (const entry of entries) {
      if (entry.type !== "prompt") continue;
      const prompt = received(entry.text);
      this.#begin(prompt);
      this.#memory.learn(prompt.request);
    }
  }

  /** Works on a prompt to its end, or until it is cancelled. */
  async prompt(text: string, client: AgentContext): Promise<StopReason> {
    if (this.#running)
      throw RequestError.invalidRequest({}, "a turn is running already");
    const turn = new Turn(client, this.id, this.cwd);
    const done = this.#take(text, turn);
    this.#running = { turn, done };
    try {
      return await done;
    } finally {
      this.#running = null;
    }
  }

  cancel(): void {
    this.#running?.turn.cancel();
  }

  /** Cancels the turn that runs, and closes the file when it has written its end. */
  async close(): Promise<void> {
    this.cancel();
    await Promise.allSettled([this.#running?.done]);
    await this.#file.close();
  }

  async #take(text: string, turn: Turn): Promise<StopReason> {
    const prompt = received(text);
    if (this.#habits.ledger) enter(this.#habits.ledger, prompt.request);
    await this.#file.append({ type: "prompt", at: now(), text });
    this.#begin(prompt);
    const stopReason = await this.#work(prompt.request, turn);
    await this.#file.append({
      type: "answer",
      at: now(),
      text: turn.said,
      stop_reason: stopReason,
    });
    return stopReason;
  }

  #begin({ history }: Received): void {
    this.#memory.begin();
    if (!this.#habits.readsHistory) return;
    for (const said of history) {
      this.#memory.begin();
      this.#memory.learn(said);
    }
  }

  async #work(request: string, turn: Turn): Promise<StopReason> {
    try {
      for (const command of commandsOf(request)) {
        turn.signal.throwIfAborted();
        if (this.mode === "read-only" && changesThings(command))
          await turn.say(`I only read: ${command.kind} is left undone.\n`);
        else await perform(this.#voiced(command), turn, this.#memory);
      }
    } catch (error) {
      if (!turn.signal.aborted) throw error;
    } finally {
      this.#memory.learn(request);
    }
    return turn.signal.aborted ? "cancelled" : "end_turn";
  }

  #voiced(command: Command): Command {
    return command.kind === "talk" && this.voice === "loud"
      ? { ...command, text: command.text.toUpperCase() }
      : command;
  }
}

const now = (): string => new Date().toISOString();

/** One line for a prompt that begins: time, pid, prompt. A single write at the end of the file, so that agents can share it. */
const enter = (ledger: string, prompt: string): void => {
  const file = openSync(ledger, "a", 0o600);
  try {
    const time = new Date().toISOString();
    writeSync(file, `${time} ${process.pid} ${JSON.stringify(prompt)}\n`);
  } finally {
    closeSync(file);
  }
};
