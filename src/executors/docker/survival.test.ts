// Alone: it starts a container engine, and kills it.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test, type TestContext } from "node:test";
import type { PlaceRef } from "../../contract/base/place.ts";
import { SessionId } from "../../contract/base/id.ts";
import type { StartOrder } from "../../contract/link/link.ts";
import { HELD_WORDS, heldAt } from "../../kit/fixtures/held-turn.ts";
import { Latch } from "../../kit/fixtures/latch.ts";
import { patience } from "../../kit/fixtures/patience.ts";
import type { Place } from "../../runtime/ports/executors.ts";
import { Attendant } from "../fixtures/attendant.ts";
import { containerName } from "./container-spec.ts";
import type { DockerExecutors } from "./executors.ts";
import { smallImage } from "./fixtures/images.ts";
import { processOutside } from "./fixtures/processes.ts";
import { DockerScene } from "./fixtures/scene.ts";
import { TestEngine, whyNoEngine } from "./fixtures/test-engine.ts";

const skip = (await whyNoEngine()) ?? false;

describe("a turn in a container", { skip }, () => {
  let engine: TestEngine;
  let image: string;
  before(async () => {
    engine = await TestEngine.start();
    image = await smallImage(engine);
  });
  after(() => engine.dispose());

  /** A place whose agent is in the middle of a turn, and what holds it there. */
  const inMidTurn = async (t: TestContext) => {
    const scratch = await mkdtemp(join(tmpdir(), "reprise-docker-"));
    const scene = await DockerScene.make(scratch, engine, image);
    await mkdir(scene.cwd);
    const at = scene.place();
    const all: DockerExecutors[] = [];
    const newServer = (more = {}): DockerExecutors => {
      const made = scene.executors({}, more);
      all.push(made);
      return made;
    };
    const latch = new Latch(scene.cwd);
    t.after(async () => {
      await all[0]?.remove(at);
      for (const each of all) await each.close();
      latch[Symbol.dispose]();
      await rm(scratch, { recursive: true, force: true, maxRetries: 10 });
    });
    const server = newServer();
    await server.prepare(at, { cwd: scene.cwd });
    const place = await server.obtain(at, 1);
    const order = scene.order();
    const attendant = new Attendant(place, order);
    await place.start(order);
    await attendant.first("ready");
    await scene.prompt(place, order, heldAt(latch));
    await attendant.first("text");
    await attendant.drained();
    return { scene, at, server, newServer, place, order, attendant, latch };
  };

  /** What the agent says from there on, to the end of its turn. */
  const rest = async (
    place: Place,
    { execution_id, epoch }: StartOrder,
    from: number,
  ): Promise<string> => {
    const later = new Attendant(place, { execution_id, epoch }, from);
    await place.attach({ execution_id, epoch, from });
    const { error } = await later.first("turn_ended");
    assert.equal(error, null);
    return later.text();
  };

  const nameOf = (at: PlaceRef): string =>
    containerName(SessionId.parse(at.id));

  test("[DKR-4] [P10] is whole though agentctl is killed in the middle of it: the next one adopts the agent", async (t) => {
    const { at, server, place, order, attendant, latch } = await inMidTurn(t);
    const { containerId, pid } = place;
    assert.ok(containerId !== null && pid !== null);
    process.kill(await processOutside(containerId, pid), "SIGKILL");
    await place.closed;
    latch.open();
    const next = await server.obtain(at, 1);
    assert.notEqual(next.pid, pid);
    assert.equal(next.containerId, containerId);
    const said = await rest(next, order, attendant.taken);
    assert.equal(attendant.text() + said, HELD_WORDS);
  });

  test("[DKR-11] an agentctl that is frozen is ended, and the turn is whole", async (t) => {
    const { at, newServer, server, place, order, attendant, latch } =
      await inMidTurn(t);
    const { containerId, pid } = place;
    assert.ok(containerId !== null && pid !== null);
    await server.leave(at);
    process.kill(await processOutside(containerId, pid), "SIGSTOP");
    latch.open();
    const next = await newServer({ silenceMs: patience(2000) }).obtain(at, 2);
    assert.notEqual(next.pid, pid);
    const said = await rest(next, order, attendant.taken);
    assert.equal(attendant.text() + said, HELD_WORDS);
  });

  test("[DKR-10] goes on while the engine is killed and comes back, and can be followed all the time", async (t) => {
    const { at, server, newServer, order, attendant, latch } =
      await inMidTurn(t);
    await engine.kill();
    try {
      assert.match((await server.probe()).why ?? "", /cannot be reached/);
      // Another server: it has nothing but the socket to go by.
      await server.close();
      const next = await newServer().obtain(at, 2);
      latch.open();
      const said = await rest(next, order, attendant.taken);
      assert.equal(attendant.text() + said, HELD_WORDS);
    } finally {
      await engine.up();
    }
    const found = await engine.engine.inspect(nameOf(at));
    assert.equal(found?.State.Running, true);
  });

  test("[DKR-10] [DKR-7] an engine that is away is no proof that a container is gone", async (t) => {
    const { at, newServer, server, order } = await inMidTurn(t);
    await server.close();
    await engine.engine.stop(nameOf(at), 1);
    await engine.kill();
    try {
      const away = { code: "docker_unavailable" };
      await assert.rejects(newServer().obtain(at, 2), away);
      await assert.rejects(newServer().find(at, 2), away);
    } finally {
      await engine.up();
    }
    const known = await (await newServer().obtain(at, 3)).executions();
    const ids = known.map(({ execution_id }) => execution_id);
    assert.deepEqual(ids, [order.execution_id]);
  });

  test("[DKR-8] a container that was restarted has its agent gone, and says so: what it had said is kept", async (t) => {
    const { at, server, place, order, attendant } = await inMidTurn(t);
    await engine.engine.stop(nameOf(at), 1);
    await engine.engine.start(nameOf(at));
    await place.closed;
    await concluded(await server.obtain(at, 1), order, attendant);
  });

  test("[DKR-8] a container that was removed is made anew over what is kept, and its execution is concluded", async (t) => {
    const { at, server, place, order, attendant } = await inMidTurn(t);
    await engine.engine.remove(nameOf(at));
    await place.closed;
    assert.equal(await server.find(at, 1), null);
    const next = await server.obtain(at, 1);
    assert.notEqual(next.containerId, place.containerId);
    await concluded(next, order, attendant);
    assert.equal(next.placeId, place.placeId);
  });

  test("[DKR-8] a container that is paused is continued for who needs it, and its turn is whole", async (t) => {
    const { at, server, newServer, order, attendant, latch } =
      await inMidTurn(t);
    await server.close();
    const { containerId } = await newServer().obtain(at, 2);
    assert.ok(containerId !== null);
    await engine.pause(containerId);
    latch.open();
    assert.equal(
      await newServer({ silenceMs: patience(1000) }).find(at, 3),
      null,
    );
    const next = await newServer({ silenceMs: patience(1000) }).obtain(at, 3);
    const said = await rest(next, order, attendant.taken);
    assert.equal(attendant.text() + said, HELD_WORDS);
  });
});

/** The agent is gone for sure, and what it said before is there to the last byte. */
const concluded = async (
  place: Place,
  { execution_id, epoch }: StartOrder,
  { taken }: Attendant,
): Promise<void> => {
  const [known] = await place.executions();
  assert.deepEqual([known?.execution_id, known?.alive], [execution_id, false]);
  const later = new Attendant(place, { execution_id, epoch }, taken);
  await place.attach({ execution_id, epoch, from: taken });
  const { ending } = await later.first("ended");
  assert.equal(ending.kind, "vanished");
};
