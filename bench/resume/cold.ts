/** The cold path: workspace and the agent's own session are gone, and both are put back before the agent starts. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "../../src/client/client.ts";
import type { CheckpointKind } from "../../src/contract/session/checkpoint.ts";
import type { Event } from "../../src/contract/event/event.ts";
import { say, seenUntil, TestHouse } from "../../test/e2e/house.ts";
import { listing } from "../../test/e2e/tree-listing.ts";
import { Ours } from "../checkpoint/ours.ts";
import { build, w2 } from "../checkpoint/workspace/workspace.ts";
import { lengths, timed, type Span } from "../clock.ts";
import { figure, median, type Row } from "../figure.ts";
import { Pulse, spared } from "../pulse/pulse.ts";
import { ownStart } from "./own-start.ts";

/** In some of them the machine is away. */
const ROUNDS = 15;
const SECRET = "marmalade";

export const coldRow = async (): Promise<Row> => {
  await using house = await TestHouse.make();
  const cwd = join(house.directory, w2.name);
  await build(cwd, w2);
  const vault = await Ours.open(house.directory);
  const { tree } = await vault.save(cwd);
  const { client } = await house.up();
  const { id } = await client.createSession({ agent: "demo", cwd });
  await turn(client, id, `remember pass=${SECRET}`);
  await using pulse = new Pulse();
  const times: Record<"cold" | "start" | "restore", Span[]> = {
    cold: [],
    start: [],
    restore: [],
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const token = await paused(client, id);
    times.start.push(await ownStart(house, token, cwd));
    const restored = join(house.directory, "restored");
    times.restore.push(await timed(() => vault.restore(tree, restored)));
    await rm(restored, { recursive: true });

    const before = await listing(cwd);
    await rm(cwd, { recursive: true });
    await rm(join(house.directory, ".reprise-demo"), { recursive: true });
    times.cold.push(await timed(() => client.resumeSession(id)));
    assert.deepEqual(await listing(cwd), before);
    await checkMemory(client, id);
  }
  await vault.close();
  const absences = await pulse.absences();
  const clean = (spans: readonly Span[]) => lengths(spared(spans, absences));
  return figure(
    {
      what: `cold path (${w2.name}), over HTTP; peer: the agent's own start and the restore alone`,
      unit: "ms",
      ours: clean(times.cold),
      peer: [median(clean(times.start)) + median(clean(times.restore))],
    },
    { within: 30 },
  );
};

/** Its token, by which the agent is asked without us. What is there now is captured. */
const paused = async (client: Client, id: string): Promise<string> => {
  const { last_seq } = await client.showSession(id);
  const { metadata } = await client.pauseSession(id);
  await seenUntil(client, id, isCaptured("pause"), last_seq);
  return metadata.resume_token ?? "";
};

/** A turn, and what it left is captured. */
const turn = async (
  client: Client,
  id: string,
  text: string,
): Promise<string> => {
  const { last_seq } = await client.showSession(id);
  const said = await say(client, id, text);
  await seenUntil(client, id, isCaptured("turn"), last_seq);
  return said;
};

const isCaptured = (kind: CheckpointKind) => (event: Event) =>
  event.type === "session.checkpoint.saved" &&
  event.data.checkpoint.kind === kind;

const checkMemory = async (client: Client, id: string): Promise<void> => {
  const { resume } = await client.showSession(id);
  assert.deepEqual(
    [resume?.path, resume?.grade, resume?.verified, resume?.workspace],
    ["cold", "native", true, "restored"],
  );
  assert.match(await turn(client, id, "recall pass"), new RegExp(SECRET));
};
