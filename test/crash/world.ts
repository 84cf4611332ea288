/** A house whose server is started again whenever it dies, and a client that does not give up. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Client, ServerUnreachable } from "../../src/client/client.ts";
import { RepriseError } from "../../src/contract/problem.ts";
import type { CrashPoint } from "../../src/kit/crash-point.ts";
import { within } from "../../src/kit/deadline.ts";
import { endDaemon } from "../../src/executors/fixtures/end-daemon.ts";
import { type Server, TestHouse } from "../e2e/house.ts";

/** Who is to die where. */
export interface Crash {
  who: "server" | "agentctl";
  /** `<name>` or `<name>:<n>`; one after the other, when there are several. */
  at: readonly (CrashPoint | `${CrashPoint}:${number}`)[];
}

export interface Standing extends Server {
  /** Aborted when the process is gone. */
  gone: AbortSignal;
}

export class World {
  readonly house: TestHouse;
  readonly ledger: string;
  readonly #crash: Crash;
  #server: Promise<Standing>;
  #reviving = true;
  readonly #closing = new AbortController();

  private constructor(house: TestHouse, crash: Crash) {
    this.house = house;
    this.ledger = join(house.directory, "ledger");
    this.#crash = crash;
    // One that dies before it is up is followed by one that lives.
    this.#server = this.#start(this.#armed()).catch(() => this.#start({}));
  }

  static async make(crash: Crash): Promise<World> {
    const house = await TestHouse.make();
    const program = join(house.directory, "frail-agent.sh");
    const agents = { frail: { command: ["/bin/sh", program] } };
    const config = join(house.home, "config.json");
    await writeFile(config, JSON.stringify({ agents, trash_days: 0 }));
    return new World(house, crash);
  }

  /** Aborted when the world ends. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  server(): Promise<Standing> {
    return this.#server;
  }

  /** Asks until there is an answer: from the next server when this one dies, once more when agentctl was away. */
  async insist<T>(
    work: (client: Client, server: Standing) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const server = await this.#server;
      try {
        return await work(server.client, server);
      } catch (error) {
        if (attempt > MOST_ATTEMPTS || !isPassing(error)) throw error;
        if (error instanceof ServerUnreachable) await hasGone(server);
      }
    }
  }

  /** Ends server and agentctl, and starts the server again after `meanwhile`, in which nothing runs but agents. */
  async restart(meanwhile: () => Promise<void>): Promise<void> {
    const server = await this.#server;
    this.#reviving = false;
    this.#server = (async () => {
      await server.kill();
      await endDaemon(this.house.home);
      await meanwhile();
      this.#reviving = true;
      return this.#start(this.#armed());
    })();
    await this.#server;
  }

  /** The points at which somebody died, in order. */
  async died(): Promise<string[]> {
    const text = await readFile(this.#diedPath, "utf8").catch(() => "");
    return text.split("\n").filter((name) => name !== "");
  }

  async assertKilled(): Promise<void> {
    const names = this.#crash.at.map((each) => each.split(":")[0]);
    assert.deepEqual(await this.died(), names, "it was killed there");
  }

  /** What the agents began to execute, in order. */
  async executed(): Promise<string[]> {
    const text = await readFile(this.ledger, "utf8").catch(() => "");
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const prompt: unknown = JSON.parse(line.split(" ").slice(2).join(" "));
        assert.ok(typeof prompt === "string");
        return prompt;
      });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#reviving = false;
    this.#closing.abort();
    await this.#server.catch(() => null);
    await this.house[Symbol.asyncDispose]();
  }

  get #diedPath(): string {
    return join(this.house.directory, "died");
  }

  #armed(): Record<string, string> {
    const { who, at } = this.#crash;
    const name =
      who === "server" ? "REPRISE_CRASH_AT" : "REPRISE_CRASH_AGENTCTL_AT";
    return { [name]: at.join(","), REPRISE_CRASH_ONCE: this.#diedPath };
  }

  async #start(env: Record<string, string>): Promise<Standing> {
    const server = await this.house.up(env);
    const gone = new AbortController();
    const isGone = (): void => {
      if (this.#reviving) this.#server = this.#start({});
      gone.abort();
    };
    const { process: child } = server;
    if (child.exitCode !== null || child.signalCode !== null) isGone();
    else child.once("exit", isGone);
    return { ...server, gone: gone.signal };
  }
}

const MOST_ATTEMPTS = 20;
const DYING_MS = 10_000;

/** What the next attempt may not meet: nobody answered, or agentctl was away. A resume that failed can be repeated (P9). */
const isPassing = (error: unknown): boolean =>
  error instanceof ServerUnreachable ||
  (error instanceof RepriseError &&
    (error.code === "agentctl_unavailable" || error.code === "resume_failed"));

const hasGone = async ({ gone }: Standing): Promise<void> => {
  if (!gone.aborted)
    await within("the server's end", DYING_MS, once(gone, "abort"));
};
