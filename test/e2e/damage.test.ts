/** A pack of a real home is damaged: what is told, and what becomes of it. */
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Collected } from "../../src/contract/api/checkpoint-route.ts";
import { flipByte } from "../../src/checkpoint/fixtures/damage.ts";
import type { Event } from "../../src/contract/event/event.ts";
import { say, seenUntil, TestHouse } from "./house.ts";

const captured = (turn: number) => (event: Event) =>
  event.type === "session.checkpoint.saved" &&
  event.data.checkpoint.turn === turn &&
  event.data.checkpoint.kind === "turn";

/** Text that compresses to something long enough to be hit. */
const words = (seed: number): string =>
  Array.from({ length: 3000 }, (_, i) => ((i + seed) * 2654435761) >>> 0).join(
    " ",
  );

test("[P3] [CPT-23] [CPT-24] [CHK-37] damage is found, told by session and turn, and mended by the next turn", async () => {
  await using house = await TestHouse.make();
  const { client } = await house.up();
  const { id } = await client.createSession({ cwd: house.workspace });
  const packs = join(house.home, "blobs", "packs");
  const added = async (turn: number): Promise<string[]> => {
    const before = new Set(await readdir(packs).catch(() => []));
    await say(client, id, `write file-${turn}.txt ${words(turn)}`);
    await seenUntil(client, id, captured(turn));
    return (await readdir(packs)).filter((name) => !before.has(name));
  };
  await added(1);
  const made = (await added(2)).map((name) => join(packs, name));
  // The agent's own file holds both turns, the workspace's pack only what is new in it.
  const [smallest = ""] = made.toSorted(
    (a, b) => statSync(a).size - statSync(b).size,
  );
  flipByte(smallest, 1500);

  const doctor = async () => (await house.cli(["doctor"])).out;
  const verify = async (...more: string[]) => {
    const args = ["gc", "--verify", "--json", ...more];
    const { code, out } = await house.cli(args);
    const { verification }: Collected = JSON.parse(out);
    assert.ok(verification);
    const { broken } = verification;
    const turns = broken.map(({ session_id, turn }) => `${session_id} ${turn}`);
    return { code, verification, turns: new Set(turns), broken };
  };
  assert.match(await doctor(), /^ok +checkpoints +no damage is known/m);
  const trial = await verify("--dry-run");
  assert.equal(trial.code, 1);
  assert.deepEqual(trial.turns, new Set([`${id} 2`]));
  assert.ok(trial.broken.some(({ paths }) => paths.includes("file-2.txt")));

  // Somebody who goes back to it meets it; the doctor knows from then on.
  const { id: fork } = await client.forkSession(id, { turn: 2 });
  const { code, err } = await house.cli(["session", "resume", fork]);
  assert.equal(code, 1);
  assert.match(err, /could not be restored: object [0-9a-f]+ is damaged/);
  assert.match(
    await doctor(),
    /^warn +checkpoints +damage was found .*verify`/m,
  );

  const found = await verify();
  const both = new Set([`${id} 2`, `${fork} 2`]);
  assert.deepEqual([found.code, found.turns], [1, both]);
  assert.match(await doctor(), /^warn +checkpoints +some cannot .*verify`/m);
  await added(3);
  const mended = await verify();
  assert.deepEqual([mended.turns, mended.broken], [new Set(), []]);
  assert.match(await doctor(), /^ok +checkpoints +all could be restored/m);
  const last = await verify();
  assert.equal(last.code, 0, "the damaged pack was written anew");
  assert.equal(last.verification.damaged, 0);
});
