/** What Reprise does when agentctl's own files, or what an agent wrote, are not as they were left. */
import assert from "node:assert/strict";
import {
  appendFile,
  mkdir,
  readFile,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { endDaemon } from "../../src/executors/fixtures/end-daemon.ts";
import type { Client } from "../../src/client/client.ts";
import {
  kill,
  markedProcesses,
} from "../../src/kit/processes/marked-processes.ts";
import {
  type TestHouse,
  isWords,
  say,
  seenUntil,
  spoken,
  turnEnded,
} from "../e2e/house.ts";
import { sharedHouse } from "../e2e/shared-house.ts";
import { allEvents, everythingDown, isAlive } from "./house.ts";
import { HELD_WORDS, heldAt } from "../../src/kit/fixtures/held-turn.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";

const test = sharedHouse();

const GARBAGE = Buffer.from([0xff, 0xfe, 0x00, 0x7b, 0x22, 0x0a]);

test("[REC-18] [P2] a torn end and garbage in agentctl's journal, and strangers beside it: the agent is adopted, its turn is heard to the end", async (scene) => {
  const { house, server } = scene;
  const { session, execution, latch } = await counting(server.client, house);
  await server.kill();
  await endDaemon(house.home);
  latch.open();
  const journal = join(directoryOf(house, execution), "journal");
  const [first = "", ...rest] = (await readFile(journal, "utf8")).split("\n");
  await writeFile(journal, Buffer.concat([Buffer.from(`${first}\n`), GARBAGE]));
  await appendFile(journal, `${rest.join("\n")}{"kind":"turn_ended","pro`);
  const executions = join(house.home, "agentctl", "executions");
  await mkdir(join(executions, "exe_00000000000000000000000000"));
  await mkdir(join(executions, "lost+found"));
  await writeFile(join(executions, "notes.txt"), "mine");

  const { client } = await scene.up();
  const seen = await seenUntil(client, session, turnEnded(1));
  assert.equal(spoken(seen), HELD_WORDS);
  const { agent_execution_id } = await client.showSession(session);
  assert.equal(agent_execution_id, execution);
  assert.match(await say(client, session, "hello"), /You said: hello/);
  assert.equal(await readFile(join(executions, "notes.txt"), "utf8"), "mine");
});

test("[REC-18] [P4] a journal of which nothing can be read: the turn is interrupted, what ran is ended, the session comes back", async (scene) => {
  const { house, server } = scene;
  const { session, execution } = await counting(server.client, house);
  await server.kill();
  await endDaemon(house.home);
  await writeFile(join(directoryOf(house, execution), "journal"), GARBAGE);

  const { client } = await scene.up();
  await seenUntil(
    client,
    session,
    ({ type }) => type === "session.turn.interrupted",
  );
  assert.match(await say(client, session, "hello"), /You said: hello/);
  assert.equal(await isAlive(execution), false);
});

test("[REC-17] stdout is cut off while the agent speaks: the execution ends as `output_lost`, the session comes back", async ({
  house,
  client,
}) => {
  const { session, execution } = await counting(client, house);
  // What it writes behind the cut before anybody looks could hide it.
  await stop(execution);
  await truncate(join(directoryOf(house, execution), "stdout"), 100);
  await outputLost(client, session);
  assert.equal(await isAlive(execution), false);
  assert.match(await say(client, session, "hello"), /You said: hello/);
});

test("[REC-17] stdout is cut off while everything is down, and while only the agent lives: likewise", async (scene) => {
  const { house } = scene;
  for (const killAgents of [true, false]) {
    await scene.begin();
    const { server } = scene;
    const { session, execution, latch } = await counting(server.client, house);
    const stdout = join(directoryOf(house, execution), "stdout");
    await stop(execution);
    const { size } = await stat(stdout);
    // Lines are nearly of one length: only where the cut is right before what was acknowledged last can none end there.
    await eventually(
      () => heardOf(server.client, session),
      (heard) => heard === size,
    );
    await everythingDown(house, server, ...(killAgents ? [execution] : []));
    await truncate(stdout, size - 1);
    await signal(execution, "SIGCONT");
    latch.open();

    const again = await scene.up("--recovery", "lazy");
    await outputLost(again.client, session);
    assert.equal(await isAlive(execution), false);
    assert.match(await say(again.client, session, "hello"), /You said: hello/);
  }
});

/** A session whose agent is in its first turn, which does not end before the latch is opened. */
const counting = async (client: Client, house: TestHouse) => {
  const latch = house.latch();
  const { id } = await client.createSession({
    cwd: house.workspace,
    prompt: heldAt(latch),
  });
  await seenUntil(client, id, isWords);
  const { agent_execution_id } = await client.showSession(id);
  assert.ok(agent_execution_id);
  return { session: id, execution: agent_execution_id, latch };
};

const signal = async (
  execution: string,
  name: NodeJS.Signals,
): Promise<void> => {
  for (const pid of await markedProcesses(`REPRISE_EXECUTION=${execution}`))
    kill(pid, name);
};

/** Resolves when nothing of it runs any more: a process may go on for a moment after it was told to stop. */
const stop = async (execution: string): Promise<void> => {
  await signal(execution, "SIGSTOP");
  for (const pid of await markedProcesses(`REPRISE_EXECUTION=${execution}`))
    await eventually(
      () => readFile(`/proc/${pid}/stat`, "latin1").catch(() => ""),
      (stat) => stat === "" || /\) [TZX] /.test(stat),
    );
};

/** How far the journal has the agent's words. */
const heardOf = async (client: Client, session: string): Promise<number> => {
  const events = await allEvents(client, session);
  return Math.max(...events.map(({ origin }) => origin?.to ?? 0));
};

const directoryOf = (house: TestHouse, execution: string): string =>
  join(house.home, "agentctl", "executions", execution);

const outputLost = async (client: Client, session: string): Promise<void> => {
  const seen = await seenUntil(
    client,
    session,
    ({ type }) => type === "session.execution.ended",
  );
  const ended = seen.at(-1);
  assert.ok(ended?.type === "session.execution.ended");
  assert.equal(ended.data.ending.kind, "output_lost");
  const cut = seen.find(({ type }) => type === "session.turn.interrupted");
  assert.ok(cut?.type === "session.turn.interrupted");
  assert.match(cut.data.reason, /lost output/);
};
