import { type ChildProcess, spawn } from "node:child_process";
import { LineSplitter } from "../../kit/data/ndjson.ts";
import type { Run } from "./dialect/dialect.ts";

export interface Command {
  argv: readonly string[];
  cwd: string;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/**
 * One run of a CLI: lines come out, answers go in, and it can be ended. It has a process group of its own, because the
 * commands that packages install are often wrappers, and a signal has to reach what they wrap.
 */
export class CliProcess {
  readonly exited: Promise<Exit>;
  #child: ChildProcess;
  #stderr = "";
  #interrupted = false;
  #killed = false;
  #force: NodeJS.Timeout | null = null;

  private constructor(child: ChildProcess) {
    this.#child = child;
    const { promise, resolve, reject } = Promise.withResolvers<Exit>();
    this.exited = promise;
    child.on("error", reject);
    // Not at `exit`: its last words may still be on their way.
    child.on("close", (code, signal) => resolve({ code, signal }));
    // What it started may hold its output open for ever.
    child.on("exit", () => this.#forceAfter(FINISH_MS));
    promise
      .catch(() => undefined)
      .finally(() => clearTimeout(this.#force ?? undefined));
    // It may be gone before it has read its input; that shows in how it ends.
    child.stdin?.on("error", () => undefined);
    child.stderr?.on("data", (bytes: Buffer) => {
      process.stderr.write(bytes);
      this.#stderr = (this.#stderr + bytes.toString()).slice(-STDERR_TAIL);
    });
  }

  static start(command: Command, run: Run): CliProcess {
    const [program = "", ...args] = command.argv;
    const child = spawn(program, [...args, ...run.args], {
      cwd: command.cwd,
      env: { ...process.env, PWD: command.cwd, ...run.env },
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    if (run.talks) child.stdin.write(run.input);
    else child.stdin.end(run.input);
    return new CliProcess(child);
  }

  get stderrTail(): string {
    return this.#stderr.trim();
  }

  async *lines(): AsyncGenerator<string> {
    const splitter = new LineSplitter(0);
    const { stdout } = this.#child;
    if (stdout === null) return;
    const chunks: AsyncIterable<Buffer> = stdout;
    try {
      for await (const chunk of chunks)
        for (const { bytes } of splitter.push(chunk)) yield bytes.toString();
    } catch (error) {
      if (!this.#killed) throw error;
    }
    const rest = splitter.rest();
    if (rest !== null) yield rest.bytes.toString();
  }

  tell(line: object): void {
    if (this.#child.stdin?.writable)
      this.#child.stdin.write(`${JSON.stringify(line)}\n`);
  }

  /** There is nothing more to tell it: it is expected to end by itself. */
  finish(): void {
    this.#child.stdin?.end();
    this.#forceAfter(FINISH_MS);
  }

  /** As ctrl-c does: it stops its work, writes down that it was stopped, and ends. */
  interrupt(): void {
    // A second ctrl-c would mean: at once, and write nothing down.
    if (this.#interrupted) return;
    this.#interrupted = true;
    this.#signal("SIGINT");
    this.#forceAfter(INTERRUPT_MS);
  }

  /** And all of its group; whoever left the group and holds its output is not listened to any more. */
  kill(): void {
    this.#killed = true;
    this.#signal("SIGKILL");
    const { exitCode, signalCode, stdout, stderr } = this.#child;
    if (exitCode === null && signalCode === null) return;
    stdout?.destroy();
    stderr?.destroy();
  }

  #forceAfter(ms: number): void {
    clearTimeout(this.#force ?? undefined);
    this.#force = setTimeout(() => this.kill(), ms);
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // All of them ended a moment ago.
    }
  }
}

const STDERR_TAIL = 4000;

/** What a run left behind, and background work of a turn that is over, is not waited for longer. */
const FINISH_MS = 10_000;

const INTERRUPT_MS = 5_000;
