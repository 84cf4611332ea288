/** A house whose server is started again whenever it dies, and a client that does not give up. */
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Client, ServerUnreachable } from "../../src/client/client.ts";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import type { CrashPoint } from "../../src/kit/crash-point.ts";
import { within } from "../../src/kit/time/deadline.ts";
import { patience, until } from "../../src/kit/fixtures/patience.ts";
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
  #server: Promise<Standing>;
  #reviving = true;
  #armed = 0;
  readonly #closing = new AbortController();

  private constructor(house: TestHouse) {
    this.house = house;
    this.#server = this.#start();
  }

  /** With a crash that happens at the first start, when there is one. */
  static async make(
    first: Crash | null = null,
    { trash_days = 0 }: { trash_days?: number } = {},
  ): Promise<World> {
    const house = await TestHouse.make();
    const program = join(house.directory, "frail-agent.sh");
    const agents = { frail: { command: ["/bin/sh", program] } };
    const config = join(house.home, "config.json");
    await writeFile(config, JSON.stringify({ agents, trash_days }));
    const plan = first === null ? "" : linesOf(first, 0);
    await writeFile(planIn(house, first?.who ?? "server"), plan);
    return new World(house);
  }

  /** Aborted when the world ends. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  server(): Promise<Standing> {
    return this.#server;
  }

  /** From now on: the next who passes there dies. */
  async arm(crash: Crash): Promise<void> {
    this.#armed += 1;
    await writeFile(planIn(this.house, crash.who), linesOf(crash, this.#armed));
  }

  /** Resolves when everybody has died who was to die: what goes on behind an answer may take a moment longer. */
  async isOver({ who, at }: Crash): Promise<void> {
    const plan = planIn(this.house, who);
    try {
      await until(async () => (await readFile(plan, "utf8")) === "");
    } catch (cause) {
      const left = await readFile(plan, "utf8");
      const words = `nobody died at ${left}; ordered was ${at.join(", then ")}`;
      throw new Error(words, { cause });
    }
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
        if (attempt > MAX_ATTEMPTS || !isPassing(error)) throw error;
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
      return this.#start();
    })();
    await this.#server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#reviving = false;
    this.#closing.abort();
    await this.#server.catch(() => null);
    await this.house[Symbol.asyncDispose]();
  }

  /** A server that dies before it is up is followed by the next one. */
  async #start(): Promise<Standing> {
    const env = {
      REPRISE_CRASH_PLAN: planIn(this.house, "server"),
      REPRISE_CRASH_AGENTCTL_PLAN: planIn(this.house, "agentctl"),
    };
    const server = await this.house.up(env).catch(() => this.house.up(env));
    const gone = new AbortController();
    const isGone = (): void => {
      if (this.#reviving) this.#server = this.#start();
      gone.abort();
    };
    const { process: child } = server;
    if (child.exitCode !== null || child.signalCode !== null) isGone();
    else child.once("exit", isGone);
    return { ...server, gone: gone.signal };
  }
}

const planIn = ({ directory }: TestHouse, who: Crash["who"]): string =>
  join(directory, `${who}.plan`);

/** The number tells a line from one for the same point that came before. */
const linesOf = ({ at }: Crash, number: number): string =>
  at.map((point) => `${point} ${number}`).join("\n");

const MAX_ATTEMPTS = 20;
const DYING_MS = patience(10_000);

/** What the next attempt may not meet: nobody answered, or agentctl was away. A resume that failed can be repeated (P9). */
const isPassing = (error: unknown): boolean =>
  error instanceof ServerUnreachable ||
  (error instanceof RepriseError &&
    (error.code === "agentctl_unavailable" || error.code === "resume_failed"));

const hasGone = async ({ gone }: Standing): Promise<void> => {
  if (!gone.aborted)
    await within("the server's end", DYING_MS, once(gone, "abort"));
};
