/**
 * One Reprise for all rows of an agent. To start a real agent takes seconds of processor time, so a row goes on with the
 * sessions that the row before it left:
 *
 *   main       told a passkey; every row leaves it running, idle and knowing its passkey
 *   bystander  a second session in the same home of the agent, without checkpoints
 *
 * After a row that failed nothing is known about them: the next row gets a new Reprise and new sessions.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Scene } from "./scene.ts";
import { setUpOf } from "./set-up.ts";

/** What a row is played with. */
export interface Cast {
  scene: Scene;
  /** The session that most rows are about. */
  main(): Promise<string>;
  /** The same one, unless the agent asks for permissions only in a mode of its own. */
  asking(): Promise<string>;
  bystander(): Promise<string>;
}

export class SharedScene {
  readonly #make: () => Promise<Scene>;
  #cast: Cast | null = null;

  constructor(make: () => Promise<Scene>) {
    this.#make = make;
  }

  /** Plays a row and resolves with what came of it. */
  async play(row: (cast: Cast) => Promise<string>): Promise<string> {
    this.#cast ??= castOf(await this.#make());
    try {
      return await row(this.#cast);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const cast = this.#cast;
    this.#cast = null;
    await cast?.scene[Symbol.asyncDispose]();
  }
}

const castOf = (scene: Scene): Cast => {
  const main = once(() => scene.begin());
  const mode = setUpOf[scene.agent].askingMode;
  return {
    scene,
    main,
    asking: mode === undefined ? main : once(() => scene.begin({ mode })),
    bystander: once(() => beginBystander(scene)),
  };
};

const once = (begin: () => Promise<string>): (() => Promise<string>) => {
  let begun: Promise<string> | null = null;
  return () => (begun ??= begin());
};

const beginBystander = async (scene: Scene): Promise<string> => {
  const cwd = join(scene.house.directory, "other");
  await mkdir(cwd);
  return scene.begin({ cwd, checkpoints: false, on_interrupt: "continue" });
};
