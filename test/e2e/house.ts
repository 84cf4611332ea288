/** A real Reprise for tests: the server as a process of its own, its daemon, its agents, in a home of their own. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Client, connect } from "../../src/client/client.ts";
import type { Event } from "../../src/contract/event/event.ts";
import {
  endDaemon,
  endDaemons,
} from "../../src/executors/fixtures/end-daemon.ts";
import { endMarked } from "../../src/kit/processes/marked-processes.ts";
import { Latch } from "../../src/kit/fixtures/latch.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";

export const root = resolve(import.meta.dirname, "../..");
/** The product that the runner has built from the sources; a file that is run by hand starts the sources themselves. */
export const bin = join(process.env["TEST_PRODUCT"] ?? root, "bin/reprise");

export interface Server {
  url: string;
  token: string;
  client: Client;
  process: ChildProcess;
  /** What it printed. */
  printed(): string;
  /** Ctrl-C: resolves with everything it printed. */
  stop(): Promise<string>;
  /** As a machine that loses power ends it. */
  kill(): Promise<void>;
}

export class TestHouse {
  readonly directory: string;
  readonly home: string;
  readonly workspace: string;
  readonly #servers = new Set<Server>();
  readonly #latches = new DisposableStack();

  private constructor(directory: string, home: string) {
    this.directory = directory;
    this.home = join(directory, home);
    this.workspace = join(directory, "work");
  }

  static async make(
    config: object = {},
    home = "home",
    parent = tmpdir(),
  ): Promise<TestHouse> {
    const house = new TestHouse(
      await mkdtemp(join(parent, "reprise-e2e-")),
      home,
    );
    await mkdir(house.home, { mode: 0o700, recursive: true });
    await mkdir(house.workspace);
    await writeFile(join(house.home, "config.json"), JSON.stringify(config));
    return house;
  }

  /** The environment of everything in this house. */
  env(more: Record<string, string> = {}): NodeJS.ProcessEnv {
    return {
      PATH: process.env["PATH"],
      HOME: this.directory,
      TMPDIR: tmpdir(),
      REPRISE_HOME: this.home,
      ...more,
    };
  }

  async up(
    env: Record<string, string> = {},
    ...flags: string[]
  ): Promise<Server> {
    const child = spawn(bin, ["up", "--port", "0", ...flags], {
      env: this.env(env),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let printed = "";
    const url = await new Promise<string>((found, failed) => {
      const read = (chunk: Buffer): void => {
        printed += chunk.toString();
        const match = /Reprise is up: (\S+)/.exec(printed);
        if (match?.[1] !== undefined) found(match[1]);
      };
      child.stdout.on("data", read);
      child.stderr.on("data", read);
      child.once("exit", () =>
        failed(new Error(`the server ended: ${printed}`)),
      );
    });
    const token = (await readFile(join(this.home, "token"), "utf8")).trim();
    const ended = async (signal: NodeJS.Signals): Promise<void> => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "close");
      child.kill(signal);
      await gone;
    };
    const server: Server = {
      url,
      token,
      client: connect({ url, token }),
      process: child,
      printed: () => printed,
      async stop() {
        await ended("SIGINT");
        return printed;
      },
      kill: () => ended("SIGKILL"),
    };
    this.#servers.add(server);
    return server;
  }

  /** Runs the command line to its end. */
  async cli(
    args: string[],
    more: { env?: Record<string, string>; cwd?: string } = {},
  ) {
    const child = spawn(bin, args, {
      env: this.env(more.env),
      cwd: more.cwd ?? this.workspace,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
    const [code] = await once(child, "close");
    return { code, out, err };
  }

  /** For a turn that must not end before the test says so. */
  latch(): Latch {
    return this.#latches.use(new Latch(this.directory));
  }

  /** As a machine that loses power ends it; its agents with it. */
  async killAgentctl(): Promise<void> {
    const executions = await this.#held("executions");
    await endDaemon(this.home);
    for (const execution of executions)
      await endMarked(`REPRISE_EXECUTION=${execution}`, patience(5000));
  }

  /** Ends everything and removes it. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) await server.kill();
    // One that a server had just started holds no lock yet.
    await endDaemons(this.home);
    await this.killAgentctl();
    for (const shell of await this.#held("shells"))
      await endMarked(`REPRISE_SHELL=${shell}`, patience(5000));
    this.#latches.dispose();
    await rm(this.directory, { recursive: true, force: true, maxRetries: 10 });
  }

  /** By id, those that agentctl holds. */
  #held(what: "executions" | "shells"): Promise<string[]> {
    return readdir(join(this.home, "agentctl", what)).catch(() => []);
  }
}

/** Everything after a cursor until an event fits. */
export const seenUntil = async (
  client: Client,
  session: string,
  fits: (event: Event) => boolean,
  after = 0,
): Promise<Event[]> => {
  const seen: Event[] = [];
  for await (const event of client.follow(session, {
    after,
    signal: AbortSignal.timeout(patience(60_000)),
  })) {
    seen.push(event);
    if (fits(event)) return seen;
  }
  const types = seen.map(({ type }) => type);
  assert.fail(
    `it did not happen; last seen of ${types.length}: ${types.slice(-100).join(" ")}`,
  );
};

/** Fits once each of these has, in whatever order they come. */
export const allOf = (...all: ((event: Event) => boolean)[]) => {
  const left = new Set(all);
  return (event: Event): boolean => {
    for (const fits of left) if (fits(event)) left.delete(fits);
    return left.size === 0;
  };
};

export const isResumed = ({ type }: Event): boolean =>
  type === "session.resumed";

export const turnEnded = (n: number) => (event: Event) =>
  event.type === "session.turn.ended" && event.data.turn === n;

/** A command of the agent runs: by then the agent has also written down what it was asked. */
export const commandRuns = ({ type, data }: Event): boolean =>
  type === "session.message.added" && data.message.tool?.kind === "execute";

export const changedTo = (state: string) => (event: Event) =>
  event.type === "session.state_changed" && event.data.to === state;

/** Gives a prompt and resolves with what the agent said in its turn. */
export const say = async (
  client: Client,
  session: string,
  text: string,
): Promise<string> => {
  const { last_seq } = await client.showSession(session);
  const prompt = await client.queuePrompt(session, { text });
  const seen = await seenUntil(
    client,
    session,
    (event) =>
      event.type === "session.turn.ended" && event.data.prompt_id === prompt.id,
    last_seq,
  );
  return spoken(seen);
};

/** The agent's words in these events. */
export const spoken = (events: readonly Event[]): string =>
  events
    .map((event) => {
      if (
        event.type === "session.message.added" &&
        event.data.message.role === "agent"
      )
        return event.data.message.text;
      return event.type === "session.message.updated"
        ? (event.data.append ?? "")
        : "";
    })
    .join("");

/** The agent has said something. How much comes with one event is up to the machine. */
export const isWords = (event: Event): boolean => spoken([event]) !== "";
