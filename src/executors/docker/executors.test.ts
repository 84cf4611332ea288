// Alone: it starts a container engine.
import assert from "node:assert/strict";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import * as z from "zod";
import { OwnerId } from "../../contract/base/id.ts";
import { ulid } from "../../kit/data/ulid.ts";
import { Attendant } from "../fixtures/attendant.ts";
import { RUN } from "./directories.ts";
import { smallImage } from "./fixtures/images.ts";
import { nameOf, prepared } from "./fixtures/prepared.ts";
import { TestEngine, whyNoEngine } from "./fixtures/test-engine.ts";

const skip = (await whyNoEngine()) ?? false;

describe("containers and their engine", { skip }, () => {
  let engine: TestEngine;
  let image: string;
  before(async () => {
    engine = await TestEngine.start();
    image = await smallImage(engine);
  });
  after(() => engine.dispose());

  test("[DKR-7] who looks starts nothing; who needs a container that has stopped gets it started", async (t) => {
    const { at, server } = await prepared(t, engine, image);
    assert.equal(await server.find(at, 1), null);
    assert.equal(await engine.engine.inspect(nameOf(at)), null);
    const { containerId } = await server.obtain(at, 1);
    await server.end(at);
    assert.equal(await server.find(at, 1), null);
    const stopped = await engine.engine.inspect(nameOf(at));
    assert.equal(stopped?.State.Running, false);
    assert.equal((await server.obtain(at, 1)).containerId, containerId);
    assert.ok(await server.find(at, 1));
    const unknown = { ...at, id: `ses_${ulid(Date.now())}` };
    assert.equal(await server.find(unknown, 1), null);
    await assert.rejects(server.obtain(unknown, 1), {
      code: "container_not_usable",
    });
  });

  test("[DKR-9] an engine that did not make the container cannot say that it is gone", async (t) => {
    const { at, server, directories } = await prepared(t, engine, image);
    await server.obtain(at, 1);
    await server.leave(at);
    await engine.engine.remove(nameOf(at));
    const made = MadeFile.parse(
      JSON.parse(await readFile(directories.made, "utf8")),
    );
    const elsewhere = { ...made, engine: "ANOTHER@/var/lib/docker" };
    await writeFile(directories.made, JSON.stringify(elsewhere));
    const refused = { code: "container_not_usable", message: /another engine/ };
    await assert.rejects(server.obtain(at, 2), refused);
    await assert.rejects(server.find(at, 2), refused);
    assert.equal(await engine.engine.inspect(nameOf(at)), null);
    await rm(directories.made);
    await server.obtain(at, 2);
  });

  test("[DKR-12] a newer server has its own agentctl started, in the same container and under the same agent", async (t) => {
    const { scene, at, server, newServer, directories } = await prepared(
      t,
      engine,
      image,
    );
    const place = await server.obtain(at, 1);
    const order = scene.order();
    const attendant = new Attendant(place, order);
    await place.start(order);
    await attendant.first("ready");
    await attendant.drained();
    const newer = newServer({}, { version: "0.0.1-test" });
    const next = await newer.obtain(at, 2);
    assert.match(next.build, /^0\.0\.1-test-/);
    assert.equal(next.containerId, place.containerId);
    const [known] = await next.executions();
    assert.equal(known?.alive, true);
    // An older one takes what is there, and does not have its own started after it.
    const older = newServer();
    assert.equal((await older.obtain(at, 3)).build, next.build);
    const run = await readFile(join(directories.control, RUN), "utf8");
    assert.equal(run.split("\n")[0], next.build);
  });

  test("[DKR-13] several servers that need a container at once get the same one", async (t) => {
    const { at, server, newServer } = await prepared(t, engine, image);
    const places = await Promise.all(
      [server, newServer(), newServer()].map((each) => each.obtain(at, 1)),
    );
    assert.equal(new Set(places.map(({ pid }) => pid)).size, 1);
    assert.equal(new Set(places.map((each) => each.containerId)).size, 1);
  });

  test("[DKR-13] a container of another home that has the name is left alone", async (t) => {
    const { at, server, newServer } = await prepared(t, engine, image);
    await server.obtain(at, 1);
    await server.end(at);
    const owner = OwnerId.parse(`own_${ulid(Date.now())}`);
    const stranger = newServer({}, { owner });
    const refused = {
      code: "container_not_usable",
      message: /not of this home/,
    };
    await assert.rejects(stranger.obtain(at, 2), refused);
    await assert.rejects(stranger.remove(at), refused);
    assert.deepEqual(await stranger.list(), []);
    assert.ok(await engine.engine.inspect(nameOf(at)));
  });

  test("[DKR-15] [DKR-16] containers are listed until they are removed; the working directory stays", async (t) => {
    const { scene, at, server } = await prepared(t, engine, image);
    const place = await server.obtain(at, 1);
    await scene.shell(place, "echo kept >file");
    const container = place.containerId ?? assert.fail();
    const listed = { place: at, container };
    assert.deepEqual(await server.list(), [{ ...listed, state: "running" }]);
    await server.end(at);
    await place.closed;
    assert.deepEqual(await server.list(), [{ ...listed, state: "exited" }]);
    await server.remove(at);
    assert.deepEqual(await server.list(), []);
    await server.remove(at);
    assert.deepEqual(await readdir(join(scene.home, "docker")), ["programs"]);
    assert.equal(await readFile(join(scene.cwd, "file"), "utf8"), "kept\n");
  });

  test("[DKR-17] an engine that is there can be used, and one that is not says why", async (t) => {
    const { scene } = await prepared(t, engine, image);
    assert.deepEqual(await scene.executors().probe(), { available: true });
    const away = scene.executors({ engine: "unix:///nowhere/docker.sock" });
    const { available, why } = await away.probe();
    assert.equal(available, false);
    assert.match(why ?? "", /no engine at unix:\/\/\/nowhere\/docker\.sock/);
  });
});

const MadeFile = z.object({ engine: z.string(), container: z.string() });
