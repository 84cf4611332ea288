/**
 * One house for several tests, one after the other: its server, its daemon and their programs are started once. A test
 * may kill any of them; the next one finds a server that is up. After a test that failed the next one gets a new house.
 */
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Client } from "../../src/client/client.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { type Server, TestHouse } from "./house.ts";

export class Scene {
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

  static async make(config: object): Promise<Scene> {
    await using houses = new AsyncDisposableStack();
    const house = houses.use(await TestHouse.make(config));
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

  /** A test begins with a server that has no flags, and with a workspace of its own. */
  async begin(): Promise<void> {
    this.workspace = await mkdtemp(join(this.house.directory, "work-"));
    if (this.#hasFlags) await this.server.kill();
    await this.upAgain();
  }

  /** So that the next test has no other agents than its own. */
  async endSessions(): Promise<void> {
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
  let scene: Scene | null = null;
  const end = async (): Promise<void> => {
    const last = scene;
    scene = null;
    await last?.house[Symbol.asyncDispose]();
  };
  after(end);

  return (name, run) =>
    void test(name, async () => {
      scene ??= await Scene.make(config);
      try {
        await scene.begin();
        await run(scene);
        await scene.upAgain();
        await scene.endSessions();
      } catch (error) {
        await end();
        throw error;
      }
    });
};
