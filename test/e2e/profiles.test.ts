/** Sessions and tasks that name a profile of `config.json`, with the demo agent, across the deaths of the server. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import * as z from "zod";
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
    env: { TEAM_WORD: { from: "WORK_WORD" } },
  },
  careful: { agent: "demo", mode: "no-such-mode" },
  second: { agent: "demo-inject", instructions: "Be brief." },
};

const Made = z.object({ id: z.string() });

const digest = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 12);

/** The digest of what the agent has in the variable of its profile: the value itself would be in its conversation. */
const wordOf = async ({ client }: Server, id: string): Promise<string> => {
  await say(
    client,
    id,
    'run echo "word:$(printf %s "$TEAM_WORD" | sha256sum | cut -c 1-12)"',
  );
  const { messages } = await client.listMessages(id);
  return /.*word:([0-9a-f]{12})/.exec(JSON.stringify(messages))?.[1] ?? "";
};

/** Files of a home that hold a text. agentctl goes on: a file may be gone when it is its turn. */
const filesWith = async (home: string, text: string): Promise<string[]> => {
  const found: string[] = [];
  for (const entry of await readdir(home, {
    recursive: true,
    withFileTypes: true,
  })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const content = await readFile(path, "latin1").catch(() => "");
    if (content.includes(text)) found.push(path);
  }
  return found;
};

test("[SES-211] [SES-212] [API-219] a session keeps its profile across kill -9 of the server, its variable is looked up at each start, and no value is written down", async () => {
  await using house = await TestHouse.make({ profiles });
  const first = await house.up({ WORK_WORD: `${SECRET}-1` });
  const started = await house.cli([
    "session",
    "start",
    "remember colour=teal",
    "--profile",
    "work",
    "--json",
  ]);
  assert.equal(started.code, 0, started.err);
  const { id } = Made.parse(JSON.parse(started.out));
  await seenUntil(first.client, id, turnEnded(1));
  assert.equal(await wordOf(first, id), digest(`${SECRET}-1`));
  await first.kill();

  // Whatever becomes of the profile, and of the variable while the agent runs.
  const { second: other } = profiles;
  const config = JSON.stringify({ profiles: { second: other } });
  await writeFile(join(house.home, "config.json"), config);
  const second = await house.up({ WORK_WORD: `${SECRET}-2` });
  assert.equal(await wordOf(second, id), digest(`${SECRET}-1`));
  const kept = await second.client.showSession(id);
  assert.deepEqual(
    [kept.agent_profile_id, kept.on_interrupt, kept.definition.model],
    ["work", "continue", "large"],
  );
  assert.deepEqual(kept.applied?.mode, { value: "work", held: "agent" });
  const { agent_profile_id } = await second.client.sessionStatus(id);
  assert.equal(agent_profile_id, "work");

  await second.client.pauseSession(id);
  const { resume } = await second.client.resumeSession(id);
  assert.equal(resume?.grade, "native");
  assert.equal(await wordOf(second, id), digest(`${SECRET}-2`));
  await second.client.pauseSession(id);
  await second.kill();

  const third = await house.up();
  await assert.rejects(third.client.resumeSession(id), /WORK_WORD/);
  const stopped = await third.client.showSession(id);
  assert.equal(stopped.state, "ERROR");
  assert.match(stopped.error_message ?? "", /profile work .*WORK_WORD/);
  await third.stop();
  assert.deepEqual(await filesWith(house.home, SECRET), []);
});

test("[SES-216] [SES-57] a mode of a profile that cannot be applied stops the session before its first prompt", async () => {
  await using house = await TestHouse.make({ profiles });
  const { client } = await house.up();
  const { id } = await client.createSession({
    agent_profile_id: "careful",
    cwd: house.workspace,
    prompt: "write NOTES.md hello",
  });
  await seenUntil(client, id, changedTo("ERROR"));
  const stopped = await client.showSession(id);
  assert.equal(stopped.error_code, "restriction_not_held");
  assert.equal(stopped.queued_prompts.length, 1);
  await client.resumeSession(id, { mode: "work" });
  await seenUntil(client, id, turnEnded(1));
});

test("[API-215] a server with a profile of an agent that nobody knows does not start, and says which", async () => {
  await using house = await TestHouse.make({
    profiles: { work: { agent: "demoo", env: { KEY: SECRET } } },
  });
  await assert.rejects(house.up(), ({ message }: Error) => {
    assert.match(message, /profiles\.work\.env\.KEY: must be \{"from"/);
    assert.ok(!message.includes(SECRET));
    return true;
  });
  const config = JSON.stringify({ profiles: { work: { agent: "demoo" } } });
  await writeFile(join(house.home, "config.json"), config);
  await assert.rejects(house.up(), {
    message:
      /profiles\.work\.agent: there is no agent demoo; did you mean demo\?/,
  });
});

test("[API-217] [API-216] [API-219] profiles are listed without values, and the command line names them", async () => {
  await using house = await TestHouse.make({ profiles });
  const { client } = await house.up({ WORK_WORD: SECRET });
  const page = await client.listAgents();
  assert.deepEqual(
    page.profiles?.map(({ id, agent, env_names }) => [id, agent, env_names]),
    [
      ["work", "demo", ["TEAM_WORD"]],
      ["careful", "demo", []],
      ["second", "demo-inject", []],
    ],
  );
  assert.ok(!JSON.stringify(page).includes(SECRET));
  const listed = await house.cli(["agents"]);
  assert.match(
    listed.out,
    /^work +demo +large +work +on_interrupt, model_fallback, TEAM_WORD$/m,
  );

  const unknown = await house.cli(["session", "start", "--profile", "wrok"]);
  assert.equal(unknown.code, 3);
  assert.match(unknown.err, /no profile wrok.*Did you mean work\?/);
  assert.equal(
    (await house.cli(["session", "start", "--profile", "No Name"])).code,
    2,
  );

  const started = await house.cli([
    "session",
    "start",
    "remember colour=teal",
    "--profile",
    "work",
    "--follow",
  ]);
  assert.equal(started.code, 0, started.err);
  const [session] = (await client.listSessions()).sessions;
  assert.ok(session !== undefined);
  const handed = await house.cli([
    "session",
    "handoff",
    session.id,
    "--profile",
    "second",
    "--without",
    "mode",
    "--without",
    "model",
  ]);
  assert.equal(handed.code, 0, handed.err);
  const after = await client.showSession(session.id);
  assert.deepEqual(
    [after.agent, after.agent_profile_id],
    ["demo-inject", "second"],
  );
  assert.equal(
    (await house.cli(["session", "handoff", session.id])).code,
    2,
    "it says nobody",
  );
});

test("[TSK-80] [API-219] a task of the command line is worked on by its profile, and an attempt by another one", async () => {
  await using house = await TestHouse.make({ profiles });
  const { client } = await house.up({ WORK_WORD: SECRET });
  const created = await house.cli([
    "task",
    "create",
    "Count",
    "--description",
    "count 2 1",
    "--profile",
    "work",
    "--run",
    "--follow",
  ]);
  assert.equal(created.code, 0, created.err + created.out);
  const [task] = (await client.listTasks()).tasks;
  assert.ok(task?.session_id != null);
  assert.equal(
    (await client.showSession(task.session_id)).agent_profile_id,
    "work",
  );
  const again = await house.cli([
    "task",
    "retry",
    task.id,
    "--profile",
    "second",
    "--follow",
  ]);
  assert.equal(again.code, 0, again.err + again.out);
  const { session_id } = await client.showTask(task.id);
  assert.ok(session_id !== null && session_id !== task.session_id);
  const { agent_profile_id, definition } = await client.showSession(session_id);
  assert.deepEqual(
    [agent_profile_id, definition.instructions],
    ["second", "Be brief."],
  );
});

test("[API-219] the runs of a race are made by agents and by profiles", async () => {
  await using house = await TestHouse.make({ profiles });
  const { client } = await house.up({ WORK_WORD: SECRET });
  const git = async (...args: string[]) =>
    promisify(execFile)("git", ["-C", house.workspace, ...args], {
      env: house.env(identity),
    });
  await git("init", "-q");
  await git("commit", "-q", "--allow-empty", "-m", "one");
  const race = await house.cli([
    "race",
    "remember colour=teal",
    "--agents",
    "demo,second",
    "--name",
    "both",
  ]);
  assert.equal(race.code, 0, race.err + race.out);
  const { sessions } = await client.listSessions();
  assert.deepEqual(
    sessions.map(({ agent_profile_id }) => agent_profile_id).sort(),
    ["demo", "second"],
  );
});

const identity = {
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.com",
};
