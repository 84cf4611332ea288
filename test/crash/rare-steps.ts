/** What a good day does not bring. Each happens to a session of its own. */
import assert from "node:assert/strict";
import { appendFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { programOfProduct } from "../../src/kit/fixtures/product.ts";
import { root } from "../e2e/house.ts";
import { User } from "./user.ts";
import type { World } from "./world.ts";

const demo = programOfProduct(
  "demo-agent",
  join(root, "src/programs/demo/main.ts"),
);

type Step = (scene: { world: World }) => Promise<User[]>;

export const rareSteps = {
  /** So much is written that the database folds its log. */
  "writes much": async ({ world }) => {
    const user = await remembering(world);
    await user.say("big 17000");
    return [await assertRemembers(user)];
  },

  /** An agent that cannot be talked to, and does not end by itself, until it is mended. [P9] */
  "cannot be started": async ({ world }) => {
    const program = join(world.house.directory, "frail-agent.sh");
    const wrong = join(root, "test/agents/wrong-version.ts");
    await writeFile(program, runs(wrong));
    const user = await User.create(world, { agent: "frail" });
    await user.watcher.until(
      (event) =>
        event.type === "session.state_changed" && event.data.to === "ERROR",
    );
    await user.watcher.until(({ type }) => type === "session.execution.ended");
    await writeFile(program, runs(demo));
    await user.resume();
    await user.say("remember pass=mellon");
    return [user];
  },

  /** Words that had been acknowledged are gone from the disk: as after a loss of power. */
  "loses output": async ({ world }) => {
    const user = await remembering(world);
    const stdout = await fileOfExecution(user, "stdout");
    await world.restart(async () => {
      await truncate(stdout, Math.floor((await stat(stdout)).size / 2));
    });
    await user.watcher.until(
      (event) =>
        event.type === "session.execution.ended" &&
        event.data.ending.kind === "output_lost",
    );
    return [await assertRemembers(user)];
  },

  /** The last record of agentctl's journal is torn. */
  "has a torn journal": async ({ world }) => {
    const user = await remembering(world);
    const journal = await fileOfExecution(user, "journal");
    await world.restart(() => appendFile(journal, '{"kind":"turn'));
    return [await assertRemembers(user)];
  },
} as const satisfies Record<string, Step>;

const remembering = async (world: World): Promise<User> => {
  const user = await User.create(world);
  await user.say("remember pass=mellon");
  return user;
};

const assertRemembers = async (user: User): Promise<User> => {
  assert.match(await user.say("recall pass"), /pass=mellon/);
  return user;
};

const runs = (program: string): string =>
  `exec "${process.execPath}" "${program}"\n`;

const fileOfExecution = async (user: User, name: string): Promise<string> => {
  const { agent_execution_id } = await user.world.insist((client) =>
    client.showSession(user.session),
  );
  const { home } = user.world.house;
  return join(home, "agentctl/executions", agent_execution_id ?? "", name);
};
