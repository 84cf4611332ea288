/** Sessions and tasks that name a profile of `config.json`, with the demo agent, across the deaths of the server. */
import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import {
  changedTo,
  say,
  seenUntil,
  type Server,
  TestHouse,
  turnEnded,
} from "./house.ts";

const SECRET = "hush-4711";

const profiles = {
  work: {
    agent: "demo",
    mode: "work",
    model: "large",
    model_fallback: true,
    on_interrupt: "continue",
    env: { DEMO_WORD: { from: "WORK_WORD" } },
  },
  careful: { agent: "demo", mode: "no-such-mode" },
  second: { agent: "demo-inject", instructions: "Be brief." },
};

/** What the agent finds in the variable of its profile. */
const wordOf = async ({ client }: Server, id: string): Promise<string> => {
  const { last_seq } = await client.showSession(id);
  await say(client, id, 'run echo "word:$DEMO_WORD"');
  const { messages } = await client.listMessages(id);
  const text = JSON.stringify(messages);
  assert.ok((await client.showSession(id)).last_seq > last_seq);
  return /.*word:([a-z0-9-]*)/.exec(text)?.[1] ?? "";
};

const startedBy = (house: TestHouse, name: string) =>
  house.cli([
    "session",
    "start",
    "remember colour=teal",
    "--profile",
    name,
    "--json",
  ]);

test("[SES-211] [SES-212] [API-219] a session keeps its profile across kill -9 of the server, its variable is looked up at each start, and no value is written down", async () => {
  await using house = await TestHouse.make({ profiles });
  const first = await house.up({ WORK_WORD: `${SECRET}-1` });
  const started = await startedBy(house, "work");
  assert.equal(started.code, 0, started.err);
  const { id } = JSON.parse(started.out) as { id: string };
  await seenUntil(first.client, id, turnEnded(1));
  assert.equal(await wordOf(first, id), `${SECRET}-1`);
  await first.kill();

  // Whatever becomes of the profile, and of the variable while the agent runs.
  await writeFile(
    join(house.home, "config.json"),
    JSON.stringify({ profiles: { second: profiles.second } }),
  );
  const second = await house.up({ WORK_WORD: `${SECRET}-2` });
  assert.equal(await wordOf(second, id), `${SECRET}-1`);
  const kept = await second.client.showSession(id);
  assert.deepEqual(
    [kept.agent_profile_id, kept.on_interrupt, kept.definition.model],
    ["work", "continue", "large"],
  );
  assert.deepEqual(kept.applied?.mode, { value: "work", held: "agent" });
  assert.equal(
    (await second.client.sessionStatus(id)).agent_profile_id,
    "work",
  );

  await second.client.pauseSession(id);
  const { resume } = await second.client.resumeSession(id);
  assert.equal(resume?.grade, "native");
  assert.equal(await wordOf(second, id), `${SECRET}-2`);
  await second.client.pauseSession(id);
  await second.kill();

  const third = await house.up();
  await assert.rejects(third.client.resumeSession(id), /WORK_WORD/);
  const stopped = await third.client.showSession(id);
  assert.equal(stopped.state, "ERROR");
  assert.match(stopped.error_message ?? "", /profile work .*WORK_WORD/);
  await third.stop();

  assert.deepEqual(await filesWith(house.home, SECRET), [
    "echoed by the agent",
  ]);
});

/** Files of a home that hold a text. What the agent printed itself is in its conversation. */
const filesWith = async (home: string, text: string): Promise<string[]> => {
  const found: string[] = [];
  for (const entry of await readdir(home, {
    recursive: true,
    withFileTypes: true,
  })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const content = await readFile(path, "latin1");
    if (content.includes(text)) found.push(path);
  }
  return found;
};
