/**
 * One house for several tests, one after the other: its server, its daemon and their programs are started once. A test
 * may kill any of them; the next one finds a server that is up.
 */
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Client } from "../../src/client/client.ts";
import { usedInTurn } from "../../src/kit/fixtures/in-turn.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { type Server, TestHouse } from "./house.ts";

export class Scene implements AsyncDisposable {
  readonly house: TestHouse;
  /** The last that was started. */
  server: Server;
  /** An empty one for each test. */
  workspace = "";
  #hasFlags = false;

  private constructor(house: TestHouse, server: Server) {
    this.house = house;
    this.server = server;
  }

  /** It ends the house. */
  static async in(made: TestHouse): Promise<Scene> {
    await using houses = new AsyncDisposableStack();
    const house = houses.use(made);
    const scene = new Scene(house, await house.up());
    houses.move();
    return scene;
  }

  get client(): Client {
    return this.server.client;
  }

  /** The next server, when the last one has ended. */
  async up(...flags: string[]): Promise<Server> {
    this.server = await this.house.up({}, ...flags);
    this.#hasFlags = flags.length > 0;
    return this.server;
  }

  /** Sees to it that a server is there, with flags or without. */
  async upAgain(): Promise<void> {
    const { exitCode, signalCode } = this.server.process;
    if (exitCode !== null || signalCode !== null) await this.up();
  }

  /** A test begins with a server that has no flags, a workspace of its own, and no agents. */
  async begin(): Promise<void> {
    this.workspace = await mkdtemp(join(this.house.directory, "work-"));
    if (this.#hasFlags) await this.server.kill();
    await this.upAgain();
    await this.#endSessions();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.house[Symbol.asyncDispose]();
  }

  async #endSessions(): Promise<void> {
    const { sessions } = await this.client.listSessions();
    for (const { id } of sessions.filter((each) => each.status !== "ended"))
      await this.client.endSession(id);
    for (const { id } of sessions)
      await eventually(
        () => this.client.showSession(id),
        ({ is_agent_running }) => !is_agent_running,
      );
  }
}

export type SceneTest = (
  name: string,
  run: (scene: Scene) => Promise<void>,
) => void;

export const sharedHouse = (config: object = {}): SceneTest => {
  const inTurn = usedInTurn(async () => Scene.in(await TestHouse.make(config)));
  return (name, run) =>
    void test(name, () =>
      inTurn(async (scene) => {
        await scene.begin();
        await run(scene);
      }),
    );
};
