// Alone: it starts a container engine.
import assert from "node:assert/strict";
import { rename, rm, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Attendant } from "../fixtures/attendant.ts";
import type { DockerExecutors } from "./executors.ts";
import {
  findStaticBusybox,
  smallImage,
  staticImage,
} from "./fixtures/images.ts";
import { hostConfigOf, prepared, scratchOf } from "./fixtures/prepared.ts";
import type { DockerScene } from "./fixtures/scene.ts";
import { TestEngine, whyNoEngine } from "./fixtures/test-engine.ts";

const skip = (await whyNoEngine()) ?? false;
const downloads = await scratchOf();
const busybox =
  skip === false ? await findStaticBusybox(downloads) : { missing: skip };

describe("a container", { skip }, () => {
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

  test("[DKR-1] what runs in a container has no capabilities, gains none, and cannot write to its root", async (t) => {
    const { scene, at, server } = await prepared(t, engine, image);
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
    assert.equal((await hostConfigOf(engine, at)).RestartPolicy.Name, "no");
    assert.equal((await hostConfigOf(engine, at)).Init, true);
  });

  test("[DKR-2] processes are limited, memory, processors and the network as the configuration says", async (t) => {
    const { scene, at, newServer } = await prepared(t, engine, image);
    const limits = { network: "none", memory_mb: 512, cpus: 1.5, pids: 200 };
    const place = await newServer(limits).obtain(at, 1);
    const { Memory, NanoCpus, PidsLimit, NetworkMode } = await hostConfigOf(
      engine,
      at,
    );
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
      const { scene, at, server } = await prepared(t, engine, from);
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
    const { at, server } = await prepared(t, engine, without);
    await assert.rejects(server.obtain(at, 1), {
      code: "container_not_usable",
      message: /the image has no mkfifo/,
    });
    const none = await smallImage(engine, ["mv"], "no-shell");
    const other = await prepared(t, engine, none);
    await assert.rejects(other.server.obtain(other.at, 1), {
      code: "container_not_usable",
      message: /\/bin\/sh/,
    });
  });

  test("[DKR-17] an image that the engine does not have is refused by its name", async (t) => {
    const { at, server } = await prepared(t, engine, "not/there:1");
    await assert.rejects(server.obtain(at, 1), {
      code: "container_not_usable",
      message: /no image not\/there:1/,
    });
  });

  test("[DKR-5] directories that a container must not see are refused, and one that is gone is named", async (t) => {
    const { scene, at, server } = await prepared(t, engine, image);
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
    const { scene, at, server, newServer, directories } = await prepared(
      t,
      engine,
      image,
    );
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

  test("[DKR-14] other limits hold from the next start on; a container whose own root was written to stays", async (t) => {
    const { at, server, newServer } = await prepared(t, engine, image);
    const first = await server.obtain(at, 1);
    await server.end(at);
    const limited = { pids: 300 };
    const next = newServer(limited);
    const second = await next.obtain(at, 2);
    assert.notEqual(second.containerId, first.containerId);
    assert.equal((await hostConfigOf(engine, at)).PidsLimit, 300);
    await next.end(at);
    const writable = newServer({ writable_root: true });
    const third = await writable.obtain(at, 3);
    assert.equal(third.containerId, second.containerId);
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
