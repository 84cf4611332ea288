/** Another host for tests: a real agentctl that listens on TLS, in a home of its own, behind a cable that can be cut. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import * as z from "zod";
import { parseAddress } from "../../src/contract/link/network-address.ts";
import {
  type ProblemCode,
  RepriseError,
} from "../../src/contract/problem/problem.ts";
import { endDaemons } from "../../src/executors/fixtures/end-daemon.ts";
import { endMarked } from "../../src/kit/processes/marked-processes.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";
import { usedInTurn } from "../../src/kit/fixtures/in-turn.ts";
import { bin, TestHouse } from "./house.ts";
import { Scene } from "./shared-house.ts";

const Announced = z.object({
  address: z.string(),
  fingerprint: z.string(),
  token_file: z.string(),
});

export class FarHost implements AsyncDisposable {
  readonly name: string;
  readonly directory: string;
  /** Of the user there. */
  readonly userHome: string;
  readonly home: string;
  readonly workspace: string;
  readonly cable: Cable;
  fingerprint = "";
  tokenFile = "";
  #port = 0;
  #process: ChildProcess | null = null;

  private constructor(name: string, directory: string, cable: Cable) {
    this.name = name;
    this.directory = directory;
    this.userHome = join(directory, "user");
    this.home = join(directory, "far-home");
    this.workspace = join(directory, "work");
    this.cable = cable;
  }

  static async start(name = "build-box"): Promise<FarHost> {
    const directory = await mkdtemp(join(tmpdir(), "reprise-far-"));
    const host = new FarHost(name, directory, await Cable.lay());
    await mkdir(host.userHome);
    await mkdir(host.workspace);
    await host.up();
    return host;
  }

  /** Starts its agentctl, where the one before was. */
  async up(): Promise<void> {
    const listen = `127.0.0.1:${this.#port}`;
    const child = spawn(
      bin,
      ["agentctl", "--listen", listen, "--home", this.home, "--json"],
      {
        env: {
          PATH: process.env["PATH"],
          HOME: this.userHome,
          TMPDIR: tmpdir(),
          ONLY_THERE: "yes",
        },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    this.#process = child;
    const [line] = await Promise.race([
      once(createInterface(child.stdout), "line"),
      once(child, "exit").then(([code]) => assert.fail(`it ended: ${code}`)),
    ]);
    const announced = Announced.parse(JSON.parse(String(line)));
    this.#port = parseAddress(announced.address)?.port ?? 0;
    this.fingerprint = announced.fingerprint;
    this.tokenFile = announced.token_file;
    this.cable.leadTo(this.#port);
  }

  /** What a server is told of it. */
  get settings() {
    return {
      kind: "remote",
      address: this.cable.address,
      fingerprint: this.fingerprint,
      token_file: this.tokenFile,
    };
  }

  /** For config.json. */
  get config() {
    return { executors: { [this.name]: this.settings } };
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** As a machine that loses power ends it; agents go on. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === null) return;
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, "close");
      child.kill("SIGKILL");
      await gone;
    }
    await endDaemons(this.home);
    this.#process = null;
  }

  /** What its agentctl holds. */
  held(what: "executions" | "shells"): Promise<string[]> {
    return readdir(join(this.home, "agentctl", what)).catch(() => []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cable[Symbol.asyncDispose]();
    await this.kill();
    for (const execution of await this.held("executions"))
      await endMarked(`REPRISE_EXECUTION=${execution}`, patience(5000));
    for (const shell of await this.held("shells"))
      await endMarked(`REPRISE_SHELL=${shell}`, patience(5000));
    await rm(this.directory, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** A way through the network. */
export class Cable implements AsyncDisposable {
  readonly #server = createServer((near) => this.#join(near));
  readonly #sockets = new Set<Socket>();
  #port = 0;
  #to = 0;
  #isCut = false;
  #isHeld = false;

  static async lay(): Promise<Cable> {
    const cable = new Cable();
    await cable.#listen();
    return cable;
  }

  leadTo(port: number): void {
    this.#to = port;
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** Everybody who is connected loses the connection, and nobody comes through. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  heal(): void {
    this.#isCut = false;
    this.#isHeld = false;
  }

  /** Whoever comes is taken and hears nothing. */
  hold(): void {
    this.#isHeld = true;
  }

  async #listen(): Promise<void> {
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  #join(near: Socket): void {
    if (this.#isCut) return void near.destroy();
    if (this.#isHeld) {
      this.#sockets.add(near);
      near.on("error", () => near.destroy());
      return;
    }
    const far = connect(this.#to, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(one);
      one.on("error", () => other.destroy());
      one.once("close", () => {
        this.#sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }
}

/** One server and one host that it knows. */
class FarScene implements AsyncDisposable {
  readonly scene: Scene;
  readonly host: FarHost;

  private constructor(scene: Scene, host: FarHost) {
    this.scene = scene;
    this.host = host;
  }

  static async in(config: object): Promise<FarScene> {
    await using hosts = new AsyncDisposableStack();
    const host = hosts.use(await FarHost.start());
    const house = await TestHouse.make({ ...host.config, ...config });
    const scene = await Scene.in(house);
    hosts.move();
    return new FarScene(scene, host);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.scene[Symbol.asyncDispose]();
    await this.host[Symbol.asyncDispose]();
  }
}

/** For several tests, one after the other. */
export const sharedFarHouse = (config: object = {}) => {
  const inTurn = usedInTurn(() => FarScene.in(config));
  return (
    name: string,
    run: (scene: Scene, host: FarHost) => Promise<void>,
  ): void =>
    void test(name, () =>
      inTurn(async ({ scene, host }) => {
        await scene.begin();
        await run(scene, host);
      }),
    );
};

/** A problem with this code, whose words say this. */
export const refusedWith =
  (code: ProblemCode, words: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof RepriseError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, words);
    return true;
  };
