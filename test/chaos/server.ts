/** The server as a child process that is started again whenever it dies; deaths that nobody ordered are violations. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ChaosHouse } from "./house.ts";
import type { Violations } from "./violation.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";

const UP_WITHIN_MS = patience(60_000);

export class ServerKeeper {
  readonly #house: ChaosHouse;
  readonly #violations: Violations;
  #child: ChildProcess | null = null;
  #killed = false;
  #aside: Promise<void> | null = null;
  #closed = false;
  #up = Promise.withResolvers<void>();
  #isUp = false;
  #loop: Promise<void> | null = null;
  /** How often it was started. */
  starts = 0;

  constructor(house: ChaosHouse, violations: Violations) {
    this.#house = house;
    this.#violations = violations;
  }

  start(): Promise<void> {
    this.#loop = this.#keep();
    return this.#up.promise;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Resolves when it takes requests. */
  get up(): Promise<void> {
    return this.#up.promise;
  }

  async token(): Promise<string> {
    return (await readFile(join(this.#house.home, "token"), "utf8")).trim();
  }

  /** False when there is none to kill. */
  signal(signal: "SIGKILL" | "SIGSTOP" | "SIGCONT"): boolean {
    if (this.#child === null) return false;
    if (signal === "SIGKILL") this.#killed = true;
    return this.#child.kill(signal);
  }

  /** Whatever happens to it meanwhile is expected, and it is not started again before that is over. */
  async standAside(meanwhile: () => Promise<void>): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#aside = done.promise;
    try {
      await meanwhile();
    } finally {
      this.#aside = null;
      done.resolve();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.signal("SIGKILL");
    await this.#loop;
  }

  async #keep(): Promise<void> {
    while (!this.#closed) {
      const ending = await this.#run();
      if (this.#isUp) this.#up = Promise.withResolvers();
      this.#isUp = false;
      const isExpected = this.#killed || this.#aside !== null;
      await this.#aside;
      if (isExpected || this.#closed) continue;
      this.#violations.add(
        "crash",
        null,
        `the server ended by itself: ${ending}`,
      );
      await pause(500);
    }
  }

  /** One life, from its start to its end. */
  #run(): Promise<string> {
    const { product, port } = this.#house;
    this.starts += 1;
    this.#killed = false;
    const child = spawn(
      join(product, "bin/reprise"),
      ["up", "--port", `${port}`],
      {
        env: this.#house.env(),
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    this.#child = child;
    let printed = "";
    const late = setTimeout(() => {
      this.#violations.add(
        "P10",
        null,
        `the server was not up after ${UP_WITHIN_MS} ms: ${printed}`,
      );
    }, UP_WITHIN_MS);
    const read = (chunk: Buffer): void => {
      printed = (printed + chunk.toString()).slice(-4000);
      if (!printed.includes("Reprise is up: ")) return;
      clearTimeout(late);
      this.#isUp = true;
      this.#up.resolve();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    return new Promise((resolve) => {
      child.once("close", (code, signal) => {
        clearTimeout(late);
        this.#child = null;
        resolve(`${signal ?? `code ${code}`}: ${printed}`);
      });
    });
  }
}
