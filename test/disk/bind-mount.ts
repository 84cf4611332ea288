/** Directories and files that are mounted a second time, at another path. Only the superuser of a Linux can do that. */
import { execFileSync } from "node:child_process";
import { test } from "node:test";

/** Elsewhere it is skipped, loudly, and in CI that is a failure. */
export const mountTest = (name: string, work: () => Promise<void>): void => {
  const canMount = process.platform === "linux" && process.getuid?.() === 0;
  if (!canMount) console.warn(`SKIPPED, needs root on Linux: ${name}`);
  void test(name, { skip: canMount ? false : "needs root on Linux" }, work);
};

/** Until it is disposed of. */
export class BindMount implements Disposable {
  readonly #at: string;

  constructor(what: string, at: string) {
    execFileSync("mount", ["--bind", what, at]);
    this.#at = at;
  }

  [Symbol.dispose](): void {
    execFileSync("umount", [this.#at]);
  }
}
