import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { hasErrno } from "../../src/kit/errno.ts";
import { TestHouse, say } from "../e2e/house.ts";
import { until } from "./house.ts";

test("[REC-15] the readable files of a session cannot be written: said once, the session goes on, and they are made when they can be", async () => {
  await using house = await TestHouse.make();
  const { client } = await house.up();
  const session = await client.createSession({ cwd: house.workspace });
  const files = join(house.home, "sessions", session.id);
  await say(client, session.id, "one");
  await until(() => readable(join(files, "conversation.json"), "one"));
  await until(() => putInTheWay(files));
  for (const words of ["two", "three", "four"])
    assert.match(await say(client, session.id, words), new RegExp(words));
  const log = join(house.home, "server.log");
  await until(() => readable(log, "could not write a session's files"));
  assert.equal(await warnings(log), 1);

  await rm(files);
  await mkdir(files);
  await say(client, session.id, "five");
  await client.pauseSession(session.id);
  await until(() => readable(join(files, "conversation.json"), "five"));
  const conversation = await readFile(join(files, "conversation.json"), "utf8");
  for (const words of ["one", "two", "three", "four", "five"])
    assert.ok(conversation.includes(words), words);
  assert.equal(await warnings(log), 1);
});

/** The files are written meanwhile: it may take more than one try. */
const putInTheWay = async (path: string): Promise<boolean> => {
  try {
    await rm(path, { recursive: true, force: true });
    await writeFile(path, "in the way", { flag: "wx" });
    return true;
  } catch (error) {
    if (hasErrno(error, "ENOTEMPTY", "EEXIST", "EISDIR")) return false;
    throw error;
  }
};

const readable = async (path: string, words: string): Promise<boolean> =>
  (await readFile(path, "utf8").catch(() => "")).includes(words);

const warnings = async (log: string): Promise<number> =>
  (await readFile(log, "utf8")).split("could not write a session's files")
    .length - 1;
