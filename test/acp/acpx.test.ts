/** acpx, a client that others wrote: it starts the door for each command, or keeps it for a while, and takes sessions up again. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { sharedHouse } from "../e2e/shared-house.ts";
import { Acpx } from "./acpx.ts";
import { endServer } from "./editor.ts";

const test = sharedHouse();

const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => String(i + from));

/** The lines that are numbers: what the agent counted. */
const counted = (text: string): string[] => text.match(/^\d+$/gm) ?? [];

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
