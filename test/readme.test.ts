/** README's commands, run as a reader would: in a fresh clone, with an empty home, on the machine's own Node. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { endDaemon } from "../src/executors/fixtures/end-daemon.ts";
import { freshClone } from "./readme/fresh-clone.ts";
import { Running, runToEnd, type Surroundings } from "./readme/terminal.ts";
import {
  elide,
  Side,
  terminalBlocks,
  type Entry,
} from "./readme/transcript.ts";
import { patience } from "../src/kit/fixtures/patience.ts";

const root = resolve(import.meta.dirname, "..");
const blocks = terminalBlocks(await readFile(join(root, "README.md"), "utf8"));

/** Too much for a test inside the tests: `.ci/run` runs it. */
const testCommand = "npm install && npm test";
const isServer = (command: string): boolean => /\bnpm start$/.test(command);

let place = "";
let surroundings: Surroundings;
before(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), "readme-")));
  const clone = join(place, "reprise");
  const home = join(place, "home");
  await mkdir(home);
  await freshClone(root, clone);
  surroundings = { cwd: clone, env: environment(home) };
});
after(() => rm(place, { recursive: true, force: true, maxRetries: 5 }));

test("the test command is what .ci/run does", async () => {
  const commands = blocks.flat().map(({ command }) => command);
  assert.ok(commands.includes(testCommand));
  const script = await readFile(join(root, ".ci/run"), "utf8");
  const lines = script.split("\n").filter((line) => !/^(#|$)/.test(line));
  assert.deepEqual(lines, [
    "set -euo pipefail",
    'cd "$(dirname "$0")/.."',
    testCommand,
  ]);
});

test("the machine's Node is not the pinned one", async () => {
  const own = await runToEnd("command -v node", surroundings);
  assert.doesNotMatch(own.printed, /node_modules/);
  assert.equal(own.code, 0);
});

test(
  "the tour shows what really happens",
  { timeout: patience(300_000) },
  async (t) => {
    const tour = new Tour();
    t.after(() => tour.close());
    for (const entry of blocks.flat())
      if (entry.command !== testCommand) await tour.follow(entry);
  },
);

/** A reader with two terminals: one for the server, one for everything else. */
class Tour {
  readonly #readme = new Side("/home/you");
  #actual = new Side(place);
  #server: Running | null = null;

  async follow({ command, output }: Entry): Promise<void> {
    const expected = this.#readme.reduce(output.join("\n"));
    if (command === null) await this.#interrupt(expected);
    else if (isServer(command)) await this.#serve(command, expected);
    else await this.#type(command, expected);
  }

  async close(): Promise<void> {
    this.#server?.signal("SIGKILL");
    await this.#server?.ended;
    await stopAgentctl(join(place, "home"));
  }

  async #interrupt(expected: string): Promise<void> {
    const server = this.#server;
    assert.ok(server, "Ctrl-C, but no server runs");
    const said = server.printed.length;
    server.signal("SIGINT");
    await server.ended;
    this.#server = null;
    const words = this.#actual.reduce(server.printed.slice(said));
    assert.equal(elide(expected, words), expected, "^C");
  }

  async #serve(command: string, expected: string): Promise<void> {
    // The usual address may be taken on this machine.
    const server = new Running(`${command} -- --port 0`, surroundings);
    this.#server = server;
    await server.until(
      (printed) =>
        elide(expected, this.#actual.copy().reduce(printed)) === expected,
    );
  }

  async #type(command: string, expected: string): Promise<void> {
    const typed = this.#readme.translate(command, this.#actual);
    // A reader takes a moment between two commands. Where one only looks, we look again until there is what README shows.
    const isLook = /session (show|status|messages|list)\b/.test(command);
    const deadline = performance.now() + patience(20_000);
    for (;;) {
      const side = this.#actual.copy();
      const { printed } = await runToEnd(typed, surroundings);
      const shown = elide(expected, side.reduce(printed));
      if (isLook && shown !== expected && performance.now() < deadline)
        continue;
      assert.equal(shown, expected, `$ ${command}`);
      this.#actual = side;
      return;
    }
  }
}

/** The reader's environment: nothing of ours, nothing that npm set for this run. Only npm's cache is lent. */
const environment = (home: string): Record<string, string> => {
  const path = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => !/node_modules|node-gyp-bin/.test(folder))
    .join(delimiter);
  return {
    PATH: path,
    HOME: home,
    LANG: "C.UTF-8",
    TMPDIR: tmpdir(),
    npm_config_cache:
      process.env["npm_config_cache"] ?? join(homedir(), ".npm"),
    npm_config_userconfig: join(homedir(), ".npmrc"),
    npm_config_prefer_offline: "true",
  };
};

/** It outlives the server on purpose; the tour has no use for it any more. */
const stopAgentctl = (home: string): Promise<void> =>
  endDaemon(join(home, ".reprise"));
