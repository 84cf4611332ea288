/** Checkpoints where there is no room, and of what does not keep still: the outcome is named, and the session goes on. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Client } from "../../src/client/client.ts";
import type { Checkpoint } from "../../src/contract/checkpoint.ts";
import { say, seenUntil, TestHouse } from "../e2e/house.ts";
import { houseOn } from "./house.ts";
import { diskTest } from "./small-disk.ts";

const MEBIBYTE = 1024 * 1024;

/** A turn, and what was captured after it. */
const turn = async (client: Client, id: string): Promise<Checkpoint> => {
  const { last_seq } = await client.showSession(id);
  await say(client, id, "hello");
  const seen = await seenUntil(
    client,
    id,
    ({ type, data }) =>
      type.startsWith("session.checkpoint.") &&
      "checkpoint" in data &&
      data.checkpoint.kind === "turn",
    last_seq,
  );
  const event = seen.at(-1);
  assert.ok(event !== undefined && "checkpoint" in event.data);
  return event.data.checkpoint;
};

diskTest(
  "[CPT-3] [REC-15] a workspace that does not fit on the disk any more is told, the session goes on, and with room again it is captured",
  async (disk) => {
    await using house = await houseOn(disk);
    const { client } = await house.up();
    const cwd = await mkdtemp(join(tmpdir(), "reprise-large-"));
    try {
      const { id } = await client.createSession({ cwd });
      assert.equal((await turn(client, id)).outcome, "saved");
      await writeFile(join(cwd, "large"), randomBytes(100 * MEBIBYTE));
      const failed = await turn(client, id);
      assert.equal(failed.outcome, "failed");
      assert.match(failed.reason ?? "", /no room on the disk/);
      await rm(join(cwd, "large"));
      assert.equal((await turn(client, id)).outcome, "saved");
    } finally {
      await rm(cwd, { recursive: true });
    }
  },
);

test("[CPT-3] a file that never keeps still makes a checkpoint partial, and is named", async () => {
  await using house = await TestHouse.make();
  const { client } = await house.up();
  await writeFile(join(house.workspace, "still.txt"), "still");
  const { id } = await client.createSession({ cwd: house.workspace });
  assert.equal((await turn(client, id)).outcome, "saved");
  const writer = spawn(
    "sh",
    ["-c", "while :; do head -c 4000000 /dev/urandom > log; done"],
    { cwd: house.workspace, stdio: "ignore", detached: true },
  );
  try {
    await once(writer, "spawn");
    let last = await turn(client, id);
    // Chance may find it still for a moment.
    while (last.outcome === "saved") last = await turn(client, id);
    assert.equal(last.outcome, "partial");
    assert.deepEqual(last.unstable, ["log"]);
    const { messages } = await client.listMessages(id);
    assert.ok(messages.some(({ text }) => /log \(kept changing\)/.test(text)));
  } finally {
    const gone = once(writer, "exit");
    process.kill(-(writer.pid ?? 0), "SIGKILL");
    await gone;
  }
  assert.equal((await turn(client, id)).outcome, "saved");
});
