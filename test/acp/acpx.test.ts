/** acpx, a client that others wrote: it starts the door for each command, or keeps it for a while, and takes sessions up again. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { endProcess } from "../../src/executors/fixtures/end-daemon.ts";
import { endMarked } from "../../src/kit/processes/marked-processes.ts";
import { eventually, patience } from "../../src/kit/fixtures/patience.ts";
import { installPrograms } from "../agents-real/install.ts";
import { root } from "../e2e/house.ts";
import { type Scene, sharedHouse } from "../e2e/shared-house.ts";
import { endServer } from "./editor.ts";

const test = sharedHouse();

const bin = join(process.env["TEST_PRODUCT"] ?? root, "bin/reprise");

const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => String(i + from));

/** The lines that are numbers: what the agent counted. */
const counted = (text: string): string[] => text.match(/^\d+$/gm) ?? [];

class Acpx implements AsyncDisposable {
  readonly #scene: Scene;
  readonly #programs: string;
  /** In the environment of everything that acpx starts. */
  readonly #mark = `REPRISE_TEST_ACPX=${crypto.randomUUID()}`;
  readonly #door: string;

  private constructor(scene: Scene, programs: string) {
    this.#scene = scene;
    this.#programs = programs;
    this.#door = join(scene.workspace, "door");
  }

  static async in(scene: Scene): Promise<Acpx> {
    const programs = await installPrograms("acpx", {
      packages: { acpx: "0.19.1" },
      programs: ["acpx"],
      scripts: [],
    });
    const acpx = new Acpx(scene, programs);
    await writeFile(
      acpx.#door,
      `#!/bin/sh\necho $$ > '${acpx.#door}.pid'\nexec '${bin}' acp --agent demo\n`,
    );
    await chmod(acpx.#door, 0o700);
    return acpx;
  }

  /** Runs a command; resolves with what it printed. `seen` is told all of it so far. */
  async run(
    args: string[],
    seen: (text: string) => void = () => undefined,
  ): Promise<{ code: number | null; text: string }> {
    const [name = "", value = ""] = this.#mark.split("=");
    const path = [dirname(process.execPath), process.env["PATH"]];
    const child = spawn(
      join(this.#programs, "acpx"),
      ["--ttl", "1", "--agent", this.#door, ...args],
      {
        cwd: this.#scene.workspace,
        env: this.#scene.house.env({
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

  async killDoor(): Promise<void> {
    await endProcess(Number(await readFile(`${this.#door}.pid`, "utf8")));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endMarked(this.#mark, patience(5000));
  }
}

test("[ACP-6] [ACP-9] [ACP-12] acpx makes a session, and takes it up again in another process", async (scene) => {
  await using acpx = await Acpx.in(scene);
  const made = await acpx.run(["sessions", "new", "--name", "s"]);
  assert.equal(made.code, 0, made.text);
  const [id] = /ses_\w{26}/.exec(made.text) ?? [];
  const first = await acpx.run(["prompt", "-s", "s", "remember a=b"]);
  assert.match(first.text, /I will remember a\.[^]*end_turn/);
  const second = await acpx.run(["prompt", "-s", "s", "recall a"]);
  assert.match(second.text, /a=b[^]*end_turn/);
  const { turn_count } = await scene.client.showSession(id ?? "");
  assert.equal(turn_count, 2);
});

test("[ACP-9] [ACP-10] the door is killed while acpx counts: the next prompt shows the rest first, each number once", async (scene) => {
  await using acpx = await Acpx.in(scene);
  const { text } = await acpx.run(["sessions", "new", "--name", "s"]);
  const [id = ""] = /ses_\w{26}/.exec(text) ?? [];
  let killed: Promise<void> | undefined;
  const cut = await acpx.run(["prompt", "-s", "s", "count 24 100"], (seen) => {
    if (counted(seen).length >= 4) killed ??= acpx.killDoor();
  });
  await killed;
  assert.notEqual(cut.code, 0, cut.text);
  await eventually(
    () => scene.client.showSession(id),
    ({ turn_count }) => turn_count === 1,
  );
  const rest = await acpx.run(["prompt", "-s", "s", "recall x"]);
  assert.match(rest.text, /x is unknown[^]*end_turn/);
  assert.deepEqual(counted(cut.text + rest.text), numbers(1, 24));
});

test("[ACP-3] the server is killed while acpx counts: it gets all 24 and end_turn", async (scene) => {
  await using acpx = await Acpx.in(scene);
  await acpx.run(["sessions", "new", "--name", "s"]);
  let killed: Promise<void> | undefined;
  const { code, text } = await acpx.run(
    ["prompt", "-s", "s", "count 24 100"],
    (seen) => {
      if (counted(seen).length >= 4) killed ??= scene.server.kill();
    },
  );
  await killed;
  assert.equal(code, 0, text);
  assert.deepEqual(counted(text), numbers(1, 24));
  assert.match(text, /end_turn/);
  await acpx[Symbol.asyncDispose]();
  await endServer(scene.house.home);
});

test("[ACP-19] acpx allows what it is told to allow", async (scene) => {
  await using acpx = await Acpx.in(scene);
  await acpx.run(["sessions", "new", "--name", "s"]);
  const prompt = ["prompt", "-s", "s", "ask-write a.txt hello"];
  const { text } = await acpx.run(["--approve-all", ...prompt]);
  assert.match(text, /end_turn/);
  assert.equal(await readFile(join(scene.workspace, "a.txt"), "utf8"), "hello");
});
