/** What a scripted CLI remembers of a session: every prompt it was given, in a file where the real one keeps it. */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
} from "node:fs";
import { join } from "node:path";

export class Memory {
  #directory: string;
  #prefix: string;

  constructor(home: string | undefined, below: string, prefix = "") {
    this.#directory = join(home ?? "/nowhere", below);
    this.#prefix = prefix;
  }

  has(id: string): boolean {
    return existsSync(this.#file(id));
  }

  fork(from: string, to: string): void {
    copyFileSync(this.#file(from), this.#file(to));
  }

  /** Adds a prompt, and says all of them. */
  take(id: string, prompt: string): string[] {
    mkdirSync(this.#directory, { recursive: true });
    appendFileSync(this.#file(id), `${JSON.stringify(prompt)}\n`);
    return readFileSync(this.#file(id), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => String(JSON.parse(line)));
  }

  #file(id: string): string {
    return join(this.#directory, `${this.#prefix}${id}.jsonl`);
  }
}

export const print = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

/** What every scripted CLI does to be tried: it ends with a complaint, or hangs until ctrl-c. */
export const misbehave = async (
  prompt: string,
  say: (text: string) => void,
): Promise<void> => {
  if (prompt === "crash") {
    process.stderr.write("out of cheese\n");
    process.exit(3);
  }
  if (prompt !== "hang") return;
  say("I hang");
  await new Promise(() => setInterval(() => undefined, 1000));
};
