// Alone: it starts a container engine.
/** Sessions in containers, from the request to the container's end. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { CreateSessionInput } from "../../src/contract/api/request.ts";
import { smallImage } from "../../src/executors/docker/fixtures/images.ts";
import {
  TestEngine,
  whyNoEngine,
} from "../../src/executors/docker/fixtures/test-engine.ts";
import { heldAt } from "../../src/kit/fixtures/held-turn.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";
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
    // What runs in a container writes into the home.
    await engine.clear();
    await house[Symbol.asyncDispose]();
    await engine.dispose();
  });

  test("[DKR-18] works in the directory it was given, outlives its server and leaves nothing when it is removed", async (t) => {
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
    const second = await house.up();
    t.after(() => second.stop());
    const { client } = second;
    await seenUntil(client, id, turnEnded(2));
    assert.deepEqual(await counted(client, id), all);

    await client.deleteSession(id);
    await client.purgeSession(id);
    assert.deepEqual(await engine.engine.list([]), []);
    assert.match(await readFile(join(cwd, "NOTES.md"), "utf8"), /hello/);
  });

  test("[DKR-18] has a directory made for it where none is given, and its fork works in the same container", async (t) => {
    const server = await house.up();
    t.after(() => server.stop());
    const { client } = server;
    const { id, cwd } = await client.createSession({ executor: "docker" });
    assert.equal(cwd, `/reprise/state/workspaces/${id}`);
    await say(client, id, "write file.txt one");
    const ran = await client.execCommand(id, {
      argv: ["/bin/sh", "-c", "read -r it <file.txt; echo $it"],
    });
    assert.match(ran.stdout, /one/);
    const fork = await client.forkSession(id, { turn: 1 });
    assert.deepEqual(fork.place, { kind: "docker", id });
    await say(client, fork.id, "write more.txt two");
    assert.equal((await engine.engine.list([])).length, 1);
    await client.deleteSession(id);
    await client.purgeSession(id);
    assert.equal((await engine.engine.list([])).length, 1);
    await client.deleteSession(fork.id);
    await client.purgeSession(fork.id);
    assert.deepEqual(await engine.engine.list([]), []);
  });

  test("[DKR-18] is refused where it asks for what a container cannot have", async (t) => {
    const server = await house.up();
    t.after(() => server.stop());
    const { client } = server;
    const refused = (code: string, request: CreateSessionInput) =>
      assert.rejects(client.createSession(request), { code });
    await refused("invalid_request", { image: "a", cwd: house.workspace });
    await refused("invalid_request", { executor: "docker", host: "box" });
    await refused("not_supported", { executor: "docker", worktree: "/x" });
    await refused("container_not_usable", {
      executor: "docker",
      image: "not/there",
    });
    await refused("container_not_usable", {
      executor: "docker",
      cwd: house.home,
    });
    assert.deepEqual(await engine.engine.list([]), []);
    const kept = await readdir(join(house.home, "docker"));
    assert.deepEqual(kept, ["programs"]);
  });

  test("[TSK-90] [EXE-40] every attempt of a task has a container of its own, in the directory of the task", async (t) => {
    const server = await house.up();
    t.after(() => server.stop());
    const { client } = server;
    const cwd = house.workspace;
    const { id, session } = await client.createTask({
      title: "Boxed",
      description: "write BOXED.md hello",
      executor: "local_docker",
      cwd,
      run: true,
    });
    assert.equal(session?.executor, "docker");
    const places: unknown[] = [];
    for (const attempts of [1, 2]) {
      const { session_id } = await eventually(
        () => client.showTask(id),
        (task) => task.state === "REVIEW" && task.attempts === attempts,
      );
      const made = await client.showSession(session_id ?? "");
      assert.deepEqual(made.place, { kind: "docker", id: made.id });
      assert.equal(made.cwd, cwd);
      places.push(made.id);
      if (attempts === 1) await client.retryTask(id, { mode: "fresh" });
    }
    assert.equal(new Set(places).size, 2);
    assert.match(await readFile(join(cwd, "BOXED.md"), "utf8"), /hello/);
  });

  test("[DKR-18] [EXE-40] is started from the command line too", async (t) => {
    const server = await house.up();
    t.after(() => server.stop());
    const started = await house.cli(
      ["session", "start", "--executor", "local_docker", "--json"].concat(
        "--image",
        "reprise-small",
      ),
    );
    assert.equal(started.code, 0, started.err);
    assert.match(started.out, /"kind":\s*"docker"/);
  });
});
