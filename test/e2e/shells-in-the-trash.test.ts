/** Shells of a session that goes into the trash, comes back, or is removed for good. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { eventually, until } from "../../src/kit/fixtures/patience.ts";
import { markedProcesses } from "../../src/kit/processes/marked-processes.ts";
import { type Scene, sharedHouse } from "./shared-house.ts";

const test = sharedHouse();

/** A session with an open shell. */
const begin = async ({ client, house, workspace }: Scene) => {
  const { id } = await client.createSession({ agent: "demo", cwd: workspace });
  await eventually(
    () => client.showSession(id),
    ({ state }) => state === "WAITING_FOR_INPUT",
  );
  const shell = await client.openShell(id);
  const running = () => markedProcesses(`REPRISE_SHELL=${shell.id}`);
  await until(async () => (await running()).length > 0);
  return {
    id,
    shell: shell.id,
    running,
    files: join(house.home, "agentctl/shells", shell.id),
  };
};

test("[SHL-45] shells of a session in the trash end, those of others go on, and who takes it out finds them ended", async (scene) => {
  const { client } = scene;
  const { id, shell, running } = await begin(scene);
  const other = await begin(scene);
  try {
    await client.deleteSession(id);
    await until(async () => (await running()).length === 0);
    assert.notEqual((await other.running()).length, 0);
    await client.undeleteSession(id);
    const { shells } = await eventually(
      () => client.listShells(id),
      ({ shells }) => shells.every(({ state }) => state === "ended"),
    );
    assert.deepEqual(
      shells.map(({ id, end }) => [id, end?.reason]),
      [[shell, "session_deleted"]],
    );
    const another = await client.openShell(id);
    await client.closeShell(id, another.id);
  } finally {
    await client.closeShell(other.id, other.shell);
  }
});

test("[SHL-46] what is removed for good leaves nothing of its shells", async (scene) => {
  const { client } = scene;
  const { id, running, files } = await begin(scene);
  assert.ok(existsSync(files));
  await client.deleteSession(id);
  await client.purgeSession(id);
  await until(async () => (await running()).length === 0);
  await until(() => !existsSync(files));
});
