/** acpx as a client of our door, for a session in a workspace of a house. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, dirname, join } from "node:path";
import { patience } from "../../src/kit/fixtures/patience.ts";
import { endMarked } from "../../src/kit/processes/marked-processes.ts";
import { installPrograms } from "../agents-real/install.ts";
import type { TestHouse } from "../e2e/house.ts";
import { DoorScript } from "./door-script.ts";

/** How long acpx keeps a door that nobody uses: no test is over later. */
const KEEP_SECONDS = 600;

interface Ran {
  code: number | null;
  text: string;
}

export class Acpx implements AsyncDisposable {
  readonly #house: TestHouse;
  readonly #workspace: string;
  readonly #programs: string;
  readonly #door: DoorScript;
  /** In the environment of everything that acpx starts. */
  readonly #mark = `REPRISE_TEST_ACPX=${crypto.randomUUID()}`;

  private constructor(
    place: { house: TestHouse; workspace: string },
    programs: string,
    door: DoorScript,
  ) {
    this.#house = place.house;
    this.#workspace = place.workspace;
    this.#programs = programs;
    this.#door = door;
  }

  static async in(
    place: { house: TestHouse; workspace: string },
    agent = "demo",
  ): Promise<Acpx> {
    const programs = await installPrograms("acpx", {
      packages: { acpx: "0.19.1" },
      programs: ["acpx"],
      scripts: [],
    });
    const door = await DoorScript.in(place.workspace, agent);
    return new Acpx(place, programs, door);
  }

  /**
   * Runs a command; resolves with what it printed. `seen` is told all of it so far. A command that comes just when acpx closes
   * the door that it kept is turned away by acpx and sends nothing: it is given again.
   */
  async run(
    args: string[],
    seen: (text: string) => void = () => undefined,
  ): Promise<Ran> {
    for (;;) {
      const ran = await this.#runOnce(args, seen);
      if (!ran.text.includes("Queue owner is shutting down")) return ran;
    }
  }

  async #runOnce(args: string[], seen: (text: string) => void): Promise<Ran> {
    const [name = "", value = ""] = this.#mark.split("=");
    const path = [dirname(process.execPath), process.env["PATH"]];
    const child = spawn(
      join(this.#programs, "acpx"),
      ["--ttl", String(KEEP_SECONDS), "--agent", this.#door.path, ...args],
      {
        cwd: this.#workspace,
        env: this.#house.env({
          PATH: path.join(delimiter),
          REPRISE_PORT: "0",
          [name]: value,
        }),
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (bytes: Buffer) => {
        text += bytes.toString();
        seen(text);
      });
    await once(child, "close");
    return { code: child.exitCode, text };
  }

  killDoor(): Promise<void> {
    return this.#door.kill();
  }

  /** Ends what acpx keeps in the background, and the door with it: the next command starts them anew. */
  async leave(): Promise<void> {
    await endMarked(this.#mark, patience(5000));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.leave();
  }
}
