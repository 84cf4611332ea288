/** README's commands, run as a reader would: in a fresh clone, with a new home, on the machine's own Node. */
import assert from "node:assert/strict";
import {
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  writeFile,
} from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { freshClone } from "./readme/fresh-clone.ts";
import { runToEnd, type Surroundings } from "./readme/terminal.ts";
import { Tour } from "./readme/tour.ts";
import { terminalBlocks } from "./readme/transcript.ts";
import { Config } from "../src/contract/api/config.ts";
import { patience } from "../src/kit/fixtures/patience.ts";

const root = resolve(import.meta.dirname, "..");
const blocks = terminalBlocks(await readFile(join(root, "README.md"), "utf8"));

/** Too much for a test inside the tests: `.ci/run` runs it. */
const testCommand = "npm install && npm test";

let place = "";
let surroundings: Surroundings;
before(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), "readme-")));
  const clone = join(place, "reprise");
  const home = join(place, "home");
  await mkdir(home);
  await allowForSlowness(join(home, ".reprise"));
  await freshClone(root, clone);
  surroundings = { cwd: clone, env: environment(home) };
});
after(() => rm(place, { recursive: true, force: true, maxRetries: 10 }));

test("the test command is what .ci/run does, once the parts are there", async () => {
  const commands = blocks.flat().map(({ command }) => command);
  assert.ok(commands.includes(testCommand));
  const script = await readFile(join(root, ".ci/run"), "utf8");
  const lines = script.split("\n").filter((line) => !/^(#|$)/.test(line));
  assert.deepEqual(lines, [
    "set -euo pipefail",
    'cd "$(dirname "$0")/.."',
    "npm run parts",
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
    const tour = new Tour(place, surroundings);
    t.after(() => tour.close());
    for (const entry of blocks.flat())
      if (entry.command !== testCommand) await tour.follow(entry);
  },
);

/** README shows a capture that comes to its end in time. That time is for a quiet machine. */
const allowForSlowness = async (home: string): Promise<void> => {
  const { checkpoint_seconds: quiet } = Config.parse({});
  const checkpoint_seconds = patience(quiet * 1000) / 1000;
  await mkdir(home, { mode: 0o700 });
  const config = JSON.stringify({ checkpoint_seconds });
  await writeFile(join(home, "config.json"), config, { mode: 0o600 });
};

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
