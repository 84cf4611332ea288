// Alone: it starts a container engine.
import assert from "node:assert/strict";
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test, type TestContext } from "node:test";
import * as z from "zod";
import { OwnerId, SessionId } from "../../contract/base/id.ts";
import type { PlaceRef } from "../../contract/base/place.ts";
import { ulid } from "../../kit/data/ulid.ts";
import { Attendant } from "../fixtures/attendant.ts";
import { containerName } from "./container-spec.ts";
import { placeDirectories, RUN } from "./directories.ts";
import { askEngineAt } from "./engine/request.ts";
import type { DockerExecutors } from "./executors.ts";
import {
  findStaticBusybox,
  smallImage,
  staticImage,
} from "./fixtures/images.ts";
import { DockerScene } from "./fixtures/scene.ts";
import { TestEngine, whyNoEngine } from "./fixtures/test-engine.ts";

const skip = (await whyNoEngine()) ?? false;
const scratchOf = (): Promise<string> =>
  mkdtemp(join(tmpdir(), "reprise-docker-"));
const downloads = await scratchOf();
const busybox =
  skip === false ? await findStaticBusybox(downloads) : { missing: skip };

describe("containers", { skip }, () => {
  let engine: TestEngine;
  let image: string;
  before(async () => {
    engine = await TestEngine.start();
    image = await smallImage(engine);
  });
  after(async () => {
    await engine.dispose();
    await rm(downloads, { recursive: true, force: true });
  });

  /** A place that is prepared, and nothing made for it yet. */
  const prepared = async (t: TestContext, from = image) => {
    const scratch = await scratchOf();
    const scene = await DockerScene.make(scratch, engine, from);
    await mkdir(scene.cwd);
    const at = scene.place();
    const all: DockerExecutors[] = [];
    const newServer: DockerScene["executors"] = (config, more) => {
      const made = scene.executors(config, more);
      all.push(made);
      return made;
    };
    const server = newServer();
    await server.prepare(at, { cwd: scene.cwd });
    t.after(async () => {
      await engine.engine.remove(nameOf(at));
      for (const each of all) await each.close();
      await rm(scratch, { recursive: true, force: true });
    });
    const directories = placeDirectories(scene.home, SessionId.parse(at.id));
    return { scene, at, server, newServer, directories };
  };

  const nameOf = (at: PlaceRef): string =>
    containerName(SessionId.parse(at.id));

  const hostConfigOf = async (at: PlaceRef): Promise<HostConfig> => {
    const path = `/containers/${nameOf(at)}/json`;
    const { body } = await askEngineAt(engine.address)({ method: "GET", path });
    return Inspected.parse(JSON.parse(body.toString())).HostConfig;
  };

  test("[DKR-1] what runs in a container has no capabilities, gains none, and cannot write to its root", async (t) => {
    const { scene, at, server } = await prepared(t);
    const place = await server.obtain(at, 1);
    const status = await scene.shell(
      place,
      'while read -r line; do echo "$line"; done </proc/self/status',
    );
    assert.match(status, /^CapEff:\s+0+$/m);
    assert.match(status, /^CapBnd:\s+0+$/m);
    assert.match(status, /^NoNewPrivs:\s+1$/m);
    assert.match(status, new RegExp(`^Uid:\\s+${process.getuid?.()}\\b`, "m"));
    assert.match(await scene.shell(place, "echo 1 >/bin/new"), /Read-only/);
    for (const path of ["/tmp/a", "/var/tmp/a", "$HOME/a", "a"])
      assert.equal(await scene.shell(place, `echo 1 >${path}`), "", path);
    const read = "read -r it </reprise/control/token && echo $it";
    assert.match(await scene.shell(place, read), /^[0-9a-f]{64}$/);
    const write = "echo 1 >/reprise/control/token";
    assert.match(await scene.shell(place, write), /Read-only/);
    const mounts = await scene.shell(
      place,
      'while read -r line; do echo "$line"; done </proc/self/mountinfo',
    );
    assert.ok(!mounts.includes("docker.sock"), mounts);
    assert.equal((await hostConfigOf(at)).RestartPolicy.Name, "no");
    assert.equal((await hostConfigOf(at)).Init, true);
  });

  test("[DKR-2] processes are limited, memory, processors and the network as the configuration says", async (t) => {
    const { scene, at, newServer } = await prepared(t);
    const limits = { network: "none", memory_mb: 512, cpus: 1.5, pids: 200 };
    const place = await newServer(limits).obtain(at, 1);
    const { Memory, NanoCpus, PidsLimit, NetworkMode } = await hostConfigOf(at);
    assert.deepEqual(
      [Memory, NanoCpus, PidsLimit, NetworkMode],
      [512 * 1024 ** 2, 1.5e9, 200, "none"],
    );
    const devices = await scene.shell(
      place,
      'while read -r line; do echo "$line"; done </proc/net/dev',
    );
    const names = [...devices.matchAll(/^\s*(\w+):/gm)].map(([, name]) => name);
    assert.deepEqual(names, ["lo"]);
  });

  test(
    "[DKR-3] a session runs in an image that has no C library at all",
    { skip: "missing" in busybox ? busybox.missing : false },
    async (t) => {
      assert.ok("path" in busybox);
      const from = await staticImage(engine, busybox.path);
      const { scene, at, server } = await prepared(t, from);
      const place = await server.obtain(at, 1);
      await speaks(scene, place);
      assert.equal(
        await scene.shell(place, "[ -e /lib ] || echo none"),
        "none",
      );
    },
  );

  test("[DKR-3] an image without one of the programs that agentctl needs is refused by their names", async (t) => {
    const without = await smallImage(
      engine,
      ["sh", "mv", "sleep"],
      "no-mkfifo",
    );
    const { at, server } = await prepared(t, without);
    await assert.rejects(server.obtain(at, 1), {
      code: "container_not_usable",
      message: /the image has no mkfifo/,
    });
    const none = await smallImage(engine, ["mv"], "no-shell");
    const other = await prepared(t, none);
    await assert.rejects(other.server.obtain(other.at, 1), {
      code: "container_not_usable",
      message: /\/bin\/sh/,
    });
  });

  test("[DKR-17] an image that the engine does not have is refused by its name", async (t) => {
    const { at, server } = await prepared(t, "not/there:1");
    await assert.rejects(server.obtain(at, 1), {
      code: "container_not_usable",
      message: /no image not\/there:1/,
    });
  });

  test("[DKR-5] directories that a container must not see are refused, and one that is gone is named", async (t) => {
    const { scene, at, server } = await prepared(t);
    const refused = { code: "container_not_usable" };
    for (const cwd of ["/", scene.home, join(scene.home, "docker"), "/proc/1"])
      await assert.rejects(server.prepare(at, { cwd }), refused, cwd);
    await rm(scene.cwd, { recursive: true });
    await assert.rejects(server.obtain(at, 1), {
      ...refused,
      message: new RegExp(`${scene.cwd}.*is not there`),
    });
  });

  test("[DKR-6] a link that stands where the socket was is not followed, and a token that was changed inside is not believed", async (t) => {
    const { scene, at, server, newServer, directories } = await prepared(t);
    const place = await server.obtain(at, 1);
    await scene.shell(place, "echo stolen >/reprise/state/agentctl/token");
    await server.leave(at);
    await newServer().obtain(at, 2);

    // As something in the container would: a socket of the machine, reached by a link.
    const path = join(scene.home, "other.sock");
    const other = createServer((socket) => {
      socket.destroy();
      assert.fail("it was connected to");
    });
    await new Promise<void>((resolve) => void other.listen(path, resolve));
    t.after(() => other.close());
    const socket = join(directories.link, "agentctl.sock");
    await rename(socket, `${socket}.aside`);
    await symlink(path, socket);
    await assert.rejects(newServer().obtain(at, 3), {
      code: "container_not_usable",
      message: /not a socket/,
    });
  });

  test("[DKR-7] who looks starts nothing; who needs a container that has stopped gets it started", async (t) => {
    const { at, server } = await prepared(t);
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
    const { at, server, directories } = await prepared(t);
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
    const { scene, at, server, newServer, directories } = await prepared(t);
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
    const { at, server, newServer } = await prepared(t);
    const places = await Promise.all(
      [server, newServer(), newServer()].map((each) => each.obtain(at, 1)),
    );
    assert.equal(new Set(places.map(({ pid }) => pid)).size, 1);
    assert.equal(new Set(places.map((each) => each.containerId)).size, 1);
  });

  test("[DKR-13] a container of another home that has the name is left alone", async (t) => {
    const { at, server, newServer } = await prepared(t);
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

  test("[DKR-14] other limits hold from the next start on; a container whose own root was written to stays", async (t) => {
    const { at, server, newServer } = await prepared(t);
    const first = await server.obtain(at, 1);
    await server.end(at);
    const limited = { pids: 300 };
    const next = newServer(limited);
    const second = await next.obtain(at, 2);
    assert.notEqual(second.containerId, first.containerId);
    assert.equal((await hostConfigOf(at)).PidsLimit, 300);
    await next.end(at);
    const writable = newServer({ writable_root: true });
    const third = await writable.obtain(at, 3);
    assert.equal(third.containerId, second.containerId);
  });

  test("[DKR-15] [DKR-16] containers are listed until they are removed; the working directory stays", async (t) => {
    const { scene, at, server } = await prepared(t);
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
    const { scene } = await prepared(t);
    assert.deepEqual(await scene.executors().probe(), { available: true });
    const away = scene.executors({ engine: "unix:///nowhere/docker.sock" });
    const { available, why } = await away.probe();
    assert.equal(available, false);
    assert.match(why ?? "", /no engine at unix:\/\/\/nowhere\/docker\.sock/);
  });

  /** A turn of the demo agent. */
  const speaks = async (
    scene: DockerScene,
    place: Awaited<ReturnType<DockerExecutors["obtain"]>>,
  ): Promise<void> => {
    const order = scene.order();
    const attendant = new Attendant(place, order);
    await place.start(order);
    await attendant.first("ready");
    await scene.prompt(place, order, "remember tea=green");
    const { error } = await attendant.first("turn_ended");
    assert.equal(error, null);
    await place.stop({
      execution_id: order.execution_id,
      epoch: order.epoch,
      grace_ms: 5000,
    });
    await attendant.first("ended");
    await attendant.drained();
  };
});

const Inspected = z.object({
  HostConfig: z.object({
    Memory: z.number(),
    NanoCpus: z.number(),
    PidsLimit: z.number().nullable(),
    NetworkMode: z.string(),
    Init: z.boolean().nullish(),
    RestartPolicy: z.object({ Name: z.string() }),
  }),
});
type HostConfig = z.infer<typeof Inspected>["HostConfig"];

const MadeFile = z.object({ engine: z.string(), container: z.string() });
