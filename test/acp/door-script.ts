/** What a client is told to start: a door whose process can be found and killed. */
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { endProcess } from "../../src/executors/fixtures/end-daemon.ts";
import { root } from "../e2e/house.ts";

const bin = join(process.env["TEST_PRODUCT"] ?? root, "bin/reprise");

export class DoorScript {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async in(directory: string, agent = "demo"): Promise<DoorScript> {
    const path = join(directory, `door-${agent}`);
    await writeFile(
      path,
      `#!/bin/sh\necho $$ > '${path}.pid'\nexec '${bin}' acp --agent ${agent}\n`,
    );
    await chmod(path, 0o700);
    return new DoorScript(path);
  }

  /** Ends the door that was started last. */
  async kill(): Promise<void> {
    await endProcess(Number(await readFile(`${this.path}.pid`, "utf8")));
  }
}
