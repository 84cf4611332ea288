/** Agents that are only CLIs, through the whole house: held like all others, with our adapter in between. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import { TestHouse, root, say, seenUntil, turnEnded } from "./house.ts";

const cliHouse = (agent: "claude" | "codex"): Promise<TestHouse> => {
  const cli = join(root, "test/agents/cli", `${agent}.ts`);
  return TestHouse.make({
    agents: {
      [agent]: { driver: "stream-json", command: [process.execPath, cli] },
    },
  });
};

const homes = (house: TestHouse): Record<string, string> => ({
  CLAUDE_CONFIG_DIR: house.directory,
  CODEX_HOME: house.directory,
});

for (const agent of ["claude", "codex"] as const)
  test(`[P6] ${agent} by its CLI: paused and resumed it is native, verified and knows the passkey`, async () => {
    await using house = await cliHouse(agent);
    const { client } = await house.up(homes(house));
    const passkey = randomUUID();
    const { id } = await client.createSession({ cwd: house.workspace, agent });
    await client.queuePrompt(id, { text: passkey });
    const seen = await seenUntil(client, id, turnEnded(1));
    const named = seen.flatMap((event) =>
      event.type === "session.token.recorded" ? [event.data.token] : [],
    );
    const { metadata } = await client.showSession(id);
    // Codex names its thread with the first turn; what Claude Code calls its session we say.
    assert.deepEqual(named, agent === "codex" ? [metadata.resume_token] : []);

    await client.pauseSession(id);
    const { resume } = await client.resumeSession(id);
    assert.deepEqual(
      [resume?.grade, resume?.verified, resume?.lost],
      ["native", true, null],
    );
    assert.equal(await say(client, id, "again"), `I know ${passkey}, again`);
  });

test("[P9] codex by its CLI: an agent that ends before its first turn leaves a session that starts anew", async () => {
  await using house = await cliHouse("codex");
  const { client } = await house.up(homes(house));
  const cwd = house.workspace;
  const { id } = await client.createSession({ cwd, agent: "codex" });
  await client.pauseSession(id);
  await client.resumeSession(id);
  assert.match(await say(client, id, "one"), /^I know .*one$/s);
});

test("lines that mean nothing to us are kept", async () => {
  await using house = await cliHouse("claude");
  const { client } = await house.up(homes(house));
  const { id } = await client.createSession({
    cwd: house.workspace,
    agent: "claude",
    prompt: "odd",
  });
  const seen = await seenUntil(client, id, turnEnded(1));
  const kept = seen.filter(({ type }) => type === "session.agent.update");
  assert.match(JSON.stringify(kept), /telepathy.*no JSON/);
});

test("`reprise agents` shows which driver holds an agent", async () => {
  await using house = await cliHouse("claude");
  const { client } = await house.up(homes(house));
  const { agents } = await client.listAgents();
  const shown = (name: string) => agents.find(({ id }) => id === name)?.driver;
  assert.deepEqual([shown("claude"), shown("codex")], ["stream-json", "acp"]);
});
