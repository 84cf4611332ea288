// Alone: it starts a container engine.
/** Sessions in containers, from the request to the container's end. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { smallImage } from "../../src/executors/docker/fixtures/images.ts";
import {
  TestEngine,
  whyNoEngine,
} from "../../src/executors/docker/fixtures/test-engine.ts";
import { heldAt } from "../../src/kit/fixtures/held-turn.ts";
import { Latch } from "../../src/kit/fixtures/latch.ts";
import { all, counted } from "./counting.ts";
import { say, spoken, seenUntil, TestHouse, turnEnded } from "./house.ts";

const skip = (await whyNoEngine()) ?? false;

describe("a session in a container", { skip }, () => {
  let engine: TestEngine;
  let house: TestHouse;
  before(async () => {
    engine = await TestEngine.start();
    const image = await smallImage(engine);
    const docker = { engine: engine.address, image, network: "none" };
    house = await TestHouse.make({ docker, trash_days: 0 });
  });
  after(async () => {
    await house[Symbol.asyncDispose]();
    await engine.dispose();
  });

  test("[DKR-18] works in the directory it was given, outlives its server and leaves nothing when it is removed", async () => {
    const cwd = house.workspace;
    const first = await house.up();
    const { id, place, executor } = await first.client.createSession({
      executor: "docker",
      cwd,
    });
    assert.deepEqual([executor, place], ["docker", { kind: "docker", id }]);
    await say(first.client, id, "write NOTES.md hello");
    assert.match(await readFile(join(cwd, "NOTES.md"), "utf8"), /hello/);
    const ran = await first.client.execCommand(id, {
      argv: ["/bin/sh", "-c", "echo $HOME"],
    });
    assert.equal(ran.stdout.trim(), "/reprise/state/home");
    const { executors } = await first.client.listExecutors();
    const row = executors.find(({ session_id }) => session_id === id);
    const [container] = await engine.engine.list([]);
    assert.equal(row?.container_id, container?.Id);

    // It has to be where the container sees it.
    using latch = new Latch(cwd);
    await first.client.queuePrompt(id, { text: heldAt(latch) });
    await seenUntil(first.client, id, (event) => /\d/.test(spoken([event])));
    await first.kill();
    latch.open();
    const { client } = await house.up();
    await seenUntil(client, id, turnEnded(2));
    assert.deepEqual(await counted(client, id), all);

    await client.deleteSession(id);
    await client.purgeSession(id);
    assert.deepEqual(await engine.engine.list([]), []);
    assert.match(await readFile(join(cwd, "NOTES.md"), "utf8"), /hello/);
  });
});
