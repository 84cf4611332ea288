import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";

export interface Surroundings {
  cwd: string;
  env: Record<string, string>;
  /** The command that takes the shell somewhere else first: into another root, say. */
  enter?: readonly string[];
}

/** Runs a command to its end, as a shell would: what it printed, on both streams, in order. */
export const runToEnd = async (
  command: string,
  surroundings: Surroundings,
): Promise<{ code: number | null; printed: string }> => {
  const running = new Running(command, surroundings);
  return { code: await running.ended, printed: running.printed };
};

/** A command in the foreground of a terminal of its own: it has a process group, and Ctrl-C goes to all of it. */
export class Running {
  readonly ended: Promise<number | null>;
  printed = "";
  readonly #child: ChildProcess;
  #noticed = Promise.withResolvers<void>();

  constructor(command: string, { cwd, env, enter = [] }: Surroundings) {
    const shell = ["sh", "-c", `{ ${command}\n} 2>&1`];
    const [program = "sh", ...args] = [...enter, ...shell];
    const child = spawn(program, args, {
      cwd,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.#child = child;
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      this.printed += chunk;
      this.#notice();
    });
    this.ended = once(child, "exit").then(async () => {
      // A daemon may hold the stream open; what the command itself printed has arrived by then.
      await new Promise((resolve) => setImmediate(resolve));
      this.#notice();
      return child.exitCode;
    });
  }

  /** Resolves when what was printed is what is wanted; rejects when the command ends before. */
  async until(wanted: (printed: string) => boolean): Promise<void> {
    while (!wanted(this.printed)) {
      if (this.#hasEnded)
        throw new Error(`it ended too early, having printed:\n${this.printed}`);
      await this.#noticed.promise;
    }
  }

  signal(signal: NodeJS.Signals): void {
    if (this.#child.pid !== undefined && !this.#hasEnded)
      process.kill(-this.#child.pid, signal);
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #notice(): void {
    this.#noticed.resolve();
    this.#noticed = Promise.withResolvers();
  }
}
