/** A home, or a file in it, that another user owns or can change is refused by all who would rely on it. */
import assert from "node:assert/strict";
import { chmod, chown, mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { TestHouse } from "./house.ts";

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

/** Makes a file another user's: root gives it away, others are led to one of root's. */
const giveAway = async (path: string): Promise<void> => {
  if (isRoot) return chown(path, NOBODY, NOBODY);
  await rm(path);
  await symlink("/etc/passwd", path);
};

/** A home in which a server has been, with all its files. */
const used = async (): Promise<TestHouse> => {
  const house = await TestHouse.make();
  const server = await house.up();
  await server.client.listAgents();
  await server.stop();
  await house.killAgentctl();
  return house;
};

const refusedToStart = async (
  house: TestHouse,
  words: RegExp,
  home = house.home,
): Promise<void> => {
  const { code, err } = await house.cli(["up", "--port", "0", "--home", home]);
  assert.equal(code, 1, err);
  assert.match(err, words);
  assert.equal(err.trim().split("\n").length, 1, "one sentence, no trace");
};

describe("[API-110] what belongs to another user, or can be changed by one, is refused", () => {
  test("the home", async () => {
    await using house = await TestHouse.make();
    const foreign = isRoot ? join(house.directory, "foreign") : "/usr";
    if (isRoot) {
      await mkdir(foreign);
      await giveAway(foreign);
    }
    await refusedToStart(house, /belongs to another user/, foreign);
    await chmod(house.home, 0o770);
    await refusedToStart(house, /can be changed by others \(mode 0770\)/);
    const { out } = await house.cli(["doctor"]);
    assert.match(out, /^fail +home .*can be changed by others/m);
  });

  test("config.json, which names commands to run", async () => {
    await using house = await TestHouse.make();
    const config = join(house.home, "config.json");
    await chmod(config, 0o666);
    await refusedToStart(house, /config\.json can be changed by others/);
    await giveAway(config);
    await refusedToStart(house, /config\.json belongs to another user/);
    const { out } = await house.cli(["doctor"]);
    assert.match(out, /^fail +config .*belongs to another user/m);
  });

  test("the token and server.json, also for the command line", async () => {
    await using house = await used();
    const list = () => house.cli(["session", "list"]);
    assert.equal((await list()).code, 5, "no server");
    await giveAway(join(house.home, "token"));
    await refusedToStart(
      house,
      /token.* (belongs to another user|read by others)/,
    );
    const { code, err } = await list();
    assert.equal(code, 1);
    assert.match(err, /token belongs to another user/);
    const { out } = await house.cli(["doctor"]);
    assert.match(out, /^fail +token .*belongs to another user/m);
    assert.match(out, /^fail +server .*belongs to another user/m);
  });
});

describe("[LNK-48] agentctl and those who look for it refuse likewise", () => {
  test("its directory and its token", async () => {
    await using house = await used();
    const directory = join(house.home, "agentctl");
    const { client } = await house.up();
    for (const spoil of [
      () => chmod(directory, 0o777),
      async () => {
        await chmod(directory, 0o700);
        await giveAway(join(directory, "token"));
      },
    ]) {
      await spoil();
      await assert.rejects(client.listAgents(), {
        code: "storage_unavailable",
        message: /(belongs to another user|can be changed by others)/,
      });
      const socket = join(house.directory, "socket");
      const { code, err } = await house.cli([
        "agentctl",
        "--home",
        house.home,
        "--socket",
        socket,
      ]);
      assert.equal(code, 1);
      assert.match(err, /(belongs to another user|can be changed by others)/);
      assert.equal(err.trim().split("\n").length, 1, "one sentence, no trace");
    }
  });
});
