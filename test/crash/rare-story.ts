/** Lives in which something happens that a good day does not bring. */
import assert from "node:assert/strict";
import {
  appendFile,
  readdir,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { root } from "../e2e/house.ts";
import { User } from "./user.ts";
import type { World } from "./world.ts";

/** So much is written that the database folds its log. */
export const muchIsWritten = async (world: World): Promise<User> => {
  const user = await User.create(world);
  await user.say("remember pass=mellon");
  await user.say("big 17000");
  assert.match(await user.say("recall pass"), /pass=mellon/);
  await user.check();
  return user;
};

/** An agent that cannot be talked to, and does not end by itself, until it is mended. [P9] */
export const agentIsBroken = async (world: World): Promise<User> => {
  const program = join(world.house.directory, "frail-agent.sh");
  await writeFile(program, runs("test/agents/wrong-version.ts"));
  const user = await User.create(world, { agent: "frail" });
  await user.watcher.until(
    (event) =>
      event.type === "session.state_changed" && event.data.to === "ERROR",
  );
  await user.watcher.until(({ type }) => type === "session.execution.ended");
  await writeFile(program, runs("src/agents/demo/main.ts"));
  await user.resume();
  await user.say("remember pass=mellon");
  await user.check();
  return user;
};

const runs = (program: string): string =>
  `exec "${process.execPath}" "${join(root, program)}"\n`;

/** Words that had been acknowledged are gone from the disk: as after a loss of power. */
export const outputIsLost = async (world: World): Promise<User> => {
  const user = await User.create(world);
  await user.say("remember pass=mellon");
  await world.restart(async () => {
    const stdout = await fileOfExecution(world, "stdout");
    await truncate(stdout, Math.floor((await stat(stdout)).size / 2));
  });
  await user.watcher.until(
    (event) =>
      event.type === "session.execution.ended" &&
      event.data.ending.kind === "output_lost",
  );
  assert.match(await user.say("recall pass"), /pass=mellon/);
  await user.check();
  return user;
};

/** The last record of agentctl's journal is torn. */
export const journalIsTorn = async (world: World): Promise<User> => {
  const user = await User.create(world);
  await user.say("remember pass=mellon");
  await world.restart(async () => {
    await appendFile(await fileOfExecution(world, "journal"), '{"kind":"turn');
  });
  assert.match(await user.say("recall pass"), /pass=mellon/);
  await user.check();
  return user;
};

const fileOfExecution = async (
  { house }: World,
  name: string,
): Promise<string> => {
  const executions = join(house.home, "agentctl/executions");
  const [execution = ""] = await readdir(executions);
  return join(executions, execution, name);
};
