/**
 * What the processors did for one process and all that it started, also for daemons that nobody waits for. The kernel counts
 * it for a control group, which root may make on Linux (version 2).
 */
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where control groups are: alone, or beside those of version 1. */
const ROOTS = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"];

export class CoreTime {
  readonly #group: string;

  private constructor(group: string) {
    this.#group = group;
  }

  /** Counts from now on. Throws where it cannot: only who asks for it needs it. */
  static of(pid: number): CoreTime {
    const group = join(rootOfGroups(), `reprise-test-${pid}`);
    mkdirSync(group);
    writeFileSync(join(group, "cgroup.procs"), String(pid));
    return new CoreTime(group);
  }

  /** So many milliseconds of one core. */
  read(): number {
    const text = readFileSync(join(this.#group, "cpu.stat"), "utf8");
    return Number(/^usage_usec (\d+)$/m.exec(text)?.[1]) / 1000;
  }

  /** A group in which something is still dying stays: it holds nothing. */
  [Symbol.dispose](): void {
    try {
      rmdirSync(this.#group);
    } catch {
      // It is busy.
    }
  }
}

const rootOfGroups = (): string => {
  for (const root of ROOTS)
    try {
      readFileSync(join(root, "cgroup.controllers"));
      return root;
    } catch {
      // The next one.
    }
  throw new Error("there are no control groups of version 2");
};
