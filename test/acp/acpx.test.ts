/** acpx, a client that others wrote: it starts the door for each command, or keeps it for a while, and takes sessions up again. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "../../src/client/client.ts";
import type { Latch } from "../../src/kit/fixtures/latch.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { killAgents } from "../e2e/counting.ts";
import { say, seenUntil } from "../e2e/house.ts";
import { type Scene, sharedHouse } from "../e2e/shared-house.ts";
import { Acpx } from "./acpx.ts";
import { endServer, serverOf } from "./editor.ts";

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
  await acpx.leave();
  const second = await acpx.run(["prompt", "-s", "s", "recall a"]);
  assert.match(second.text, /a=b[^]*end_turn/);
  const { turn_count } = await scene.client.showSession(id ?? "");
  assert.equal(turn_count, 2);
});

/** A session that acpx has taken up: it has something to remember, and its agent writes down each prompt that it begins. */
class Conversation {
  readonly id: string;
  readonly acpx: Acpx;
  readonly #scene: Scene;
  readonly #ledger: string;

  private constructor(scene: Scene, id: string, acpx: Acpx, ledger: string) {
    this.#scene = scene;
    this.id = id;
    this.acpx = acpx;
    this.#ledger = ledger;
  }

  static async begin(scene: Scene, acpx: Acpx): Promise<Conversation> {
    const { client, workspace: cwd } = scene;
    const ledger = join(cwd, "ledger");
    const { id } = await client.createSession({
      cwd,
      env: { DEMO_LEDGER: ledger },
    });
    await say(client, id, "remember pass=mellon");
    const taken = ["--name", "s", "--resume-session", id];
    const { code, text } = await acpx.run(["sessions", "new", ...taken]);
    assert.equal(code, 0, text);
    return new Conversation(scene, id, acpx, ledger);
  }

  /** Of the server that runs, whoever started it. */
  client(): Promise<Client> {
    return serverOf(this.#scene.house.home);
  }

  /** `seen` is told all that acpx printed so far. It cannot ask anybody, so a permission request stays open. */
  prompt(words: string, seen?: (text: string) => void) {
    const asks = ["--non-interactive-permissions", "fail"];
    return this.acpx.run([...asks, "prompt", "-s", "s", words], seen);
  }

  /** How often the agent began a prompt. */
  async taken(prompt: string): Promise<number> {
    const lines = await readFile(this.#ledger, "utf8");
    return lines.split(`${JSON.stringify(prompt)}\n`).length - 1;
  }
}

const moments = ["prompt", "chunk", "permission"] as const;
type Moment = (typeof moments)[number];

/** None of the numbers is being told at the moment: the door may tell once more what it is telling when it is killed. */
const wordsFor = (moment: Moment, latch: Latch): string => {
  switch (moment) {
    case "prompt":
      return `run ${latch.wait}\ncount 10 0\ncount 14 0`;
    case "chunk":
      return `count 10 0\nrun ${latch.wait}\ncount 14 0`;
    case "permission":
      return `count 10 0\nask ${latch.wait}\ncount 14 0`;
  }
};

/** Cuts a prompt at a moment. Says what acpx printed about it, and whether it ended well. */
const cutAt = async (
  moment: Moment,
  conversation: Conversation,
  latch: Latch,
  kill: () => Promise<void>,
) => {
  const { id } = conversation;
  const client = await conversation.client();
  const { last_seq, turn_count } = await client.showSession(id);
  const words = wordsFor(moment, latch);
  const chunk = Promise.withResolvers<void>();
  const question = Promise.withResolvers<void>();
  const run = conversation.prompt(words, (seen) => {
    if (/^10$[^]*\[tool\]/m.test(seen)) chunk.resolve();
    if (seen.includes("session/request_permission")) question.resolve();
  });
  switch (moment) {
    case "prompt":
      await seenUntil(
        client,
        id,
        ({ type }) => type === "session.turn.started",
        last_seq,
      );
      break;
    case "chunk":
      await chunk.promise;
      break;
    case "permission":
      await question.promise;
  }
  await kill();
  latch.open();
  return { words, run, turn_count };
};

/** Somebody else allows what acpx cannot ask anybody about. */
const allow = async (conversation: Conversation): Promise<void> => {
  const client = await conversation.client();
  const { pending_permissions } = await client.showSession(conversation.id);
  for (const { id } of pending_permissions)
    await client.answerPermission(conversation.id, id, "allow_once");
};

/** What acpx ends with when it was asked for a permission and had nobody to ask, for as long as its process in the background lives. */
const NOBODY_ASKED = 5;

/** The next prompt finds what was said before. */
const goesOn = async (conversation: Conversation): Promise<string> => {
  const { code, text } = await conversation.prompt("recall pass");
  assert.ok(code === 0 || code === NOBODY_ASKED, text);
  assert.match(text, /pass=mellon[^]*\[done\] end_turn/);
  return text;
};

const INTERRUPTED = /was interrupted .* send a prompt to go on/;
/** Where it died with the prompt on its way to it, nobody may know whether it took it. */
const CUT = /was interrupted .* send a prompt to go on|Nothing proves/;

const ALL = [...numbers(1, 10), ...numbers(1, 14)];

test("[ACP-9] [ACP-10] the door is killed under acpx at prompt, chunk and permission: the next prompt shows the rest first, each number once", async (scene) => {
  await using acpx = await Acpx.in(scene);
  const conversation = await Conversation.begin(scene, acpx);
  for (const moment of moments) {
    const { words, run, turn_count } = await cutAt(
      moment,
      conversation,
      scene.house.latch(),
      () => acpx.killDoor(),
    );
    const cut = await run;
    assert.notEqual(cut.code, 0, cut.text);
    assert.doesNotMatch(cut.text, /end_turn/);
    await allow(conversation);
    await eventually(
      () => scene.client.showSession(conversation.id),
      (session) => session.turn_count === turn_count + 1,
    );
    const rest = await goesOn(conversation);
    assert.equal(await conversation.taken(words), 1);
    assert.deepEqual(counted(cut.text + rest), ALL, moment);
  }
});

test("[ACP-3] [ACP-19] the server is killed under acpx at prompt, chunk and permission: it gets all numbers once", async (scene) => {
  await using ends = new AsyncDisposableStack();
  // The one that the door has started.
  ends.defer(() => endServer(scene.house.home));
  const acpx = ends.use(await Acpx.in(scene));
  const conversation = await Conversation.begin(scene, acpx);
  for (const moment of moments) {
    const { words, run } = await cutAt(
      moment,
      conversation,
      scene.house.latch(),
      () => endServer(scene.house.home),
    );
    if (moment === "permission") await allow(conversation);
    const { code, text } = await run;
    assert.deepEqual(counted(text), ALL, moment);
    assert.match(text, /\[done\] end_turn/);
    assert.equal(code, moment === "permission" ? NOBODY_ASKED : 0, text);
    await goesOn(conversation);
    assert.equal(await conversation.taken(words), 1);
  }
});

test("[ACP-16] the agent is killed under acpx at prompt, chunk and permission: it says so, and the next prompt goes on with its memory", async (scene) => {
  await using acpx = await Acpx.in(scene);
  const conversation = await Conversation.begin(scene, acpx);
  for (const moment of moments) {
    const { words, run } = await cutAt(
      moment,
      conversation,
      scene.house.latch(),
      () => killAgents(scene.client, conversation.id),
    );
    const { code, text } = await run;
    const taken = await conversation.taken(words);
    if (moment === "prompt" && code === 0) {
      // It certainly had not got the prompt: the next agent did.
      assert.match(text, /\[done\] end_turn/);
      assert.deepEqual(counted(text), ALL);
      assert.equal(taken, 1);
    } else {
      assert.notEqual(code, 0, text);
      assert.doesNotMatch(text, /end_turn/);
      assert.match(text, moment === "prompt" ? CUT : INTERRUPTED);
      assert.ok(taken === 1 || (moment === "prompt" && taken === 0));
    }
    await goesOn(conversation);
    assert.equal(await conversation.taken(words), taken, "not later either");
  }
});

test("[ACP-19] acpx allows what it is told to allow", async (scene) => {
  await using acpx = await Acpx.in(scene);
  await acpx.run(["sessions", "new", "--name", "s"]);
  const prompt = ["prompt", "-s", "s", "ask-write a.txt hello"];
  const { text } = await acpx.run(["--approve-all", ...prompt]);
  assert.match(text, /end_turn/);
  assert.equal(await readFile(join(scene.workspace, "a.txt"), "utf8"), "hello");
});
