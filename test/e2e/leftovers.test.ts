/** What a killed start leaves in the home is gone after the next start, and nothing else is. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { eventually, patience } from "../../src/kit/fixtures/patience.ts";
import { root, say, TestHouse } from "./house.ts";

const RANDOM = /\.([0-9a-f]{12}|[A-Za-z0-9]{6})$/;

/** Names that end at random, as everything does that waits for its own name; `*` stands for the random part. */
const draftsIn = (house: TestHouse): string[] =>
  ["", "agentctl", "blobs"]
    .filter((directory) => existsSync(join(house.home, directory)))
    .flatMap((directory) =>
      readdirSync(join(house.home, directory)).map((name) =>
        join(directory, name),
      ),
    )
    .filter((name) => RANDOM.test(name))
    .map((name) => name.replace(RANDOM, ".*"));

/** Starts a server that dies there, before it has said that it is up. */
const dieAt = (house: TestHouse, point: string): void => {
  const { signal } = spawnSync(
    join(root, "bin/reprise"),
    ["up", "--port", "0"],
    // One that does not pass the point stays up.
    { env: house.env({ REPRISE_CRASH_AT: point }), timeout: patience(60_000) },
  );
  assert.equal(signal, "SIGKILL", point);
};

/** A server that does all that one does: it installs agentctl, starts it and has it save a checkpoint. */
const live = async (house: TestHouse): Promise<void> => {
  const { client, stop } = await house.up();
  const { id } = await client.createSession({ cwd: house.workspace });
  await say(client, id, "hello");
  await stop();
};

/** agentctl outlives its server and may be saving a checkpoint: what it drafts meanwhile gets its name. */
const nothingIsLeftIn = async (house: TestHouse): Promise<void> => {
  await eventually(
    () => draftsIn(house),
    (drafts) => drafts.length === 0,
  );
};

test("[API-97] a server that is killed while it starts leaves nothing for the one after the next", async () => {
  await using house = await TestHouse.make();
  dieAt(house, "file.written:1");
  assert.deepEqual(draftsIn(house), ["server.json.*"]);
  // Each start removes what the one before it left, and leaves its own.
  dieAt(house, "file.written:2");
  assert.deepEqual(draftsIn(house), ["token.*"]);
  dieAt(house, "file.placed:2");
  assert.deepEqual(draftsIn(house), ["token.*"], "beside the token");
  dieAt(house, "file.written:2");
  assert.deepEqual(draftsIn(house), ["owner-id.*"]);
  dieAt(house, "file.written:3");
  assert.deepEqual(draftsIn(house), ["clock.json.*"]);
  dieAt(house, "file.written:3");
  assert.deepEqual(draftsIn(house), ["label-key.*"]);
  dieAt(house, "file.written:3");
  assert.deepEqual(draftsIn(house), ["server.json.*"]);
  await live(house);
  await nothingIsLeftIn(house);
});

test("[API-97] a server that is killed while it installs agentctl leaves nothing for the next one", async () => {
  await using house = await TestHouse.make();
  const server = await house.up({ REPRISE_CRASH_AT: "file.settled:8" });
  // The program is written, and does not have its name.
  await server.client.createSession({ cwd: house.workspace }).catch(() => null);
  await server.kill();
  assert.deepEqual(
    draftsIn(house).map((name) => name.replace(/-[0-9a-f]{8}\./, "-<hash>.")),
    [`agentctl/0.1.0-<hash>.*`],
  );
  await live(house);
  await nothingIsLeftIn(house);
});

test("[API-97] what a start removes has exactly the name and the type of what starts leave", async () => {
  await using house = await TestHouse.make();
  const at = (path: string): string => join(house.home, path);
  const put = async (path: string): Promise<void> => {
    await mkdir(dirname(at(path)), { recursive: true, mode: 0o700 });
    await writeFile(at(path), "");
  };
  const left = [
    "token.0123456789ab",
    "agentctl/token.0123456789ab",
    "agentctl/agentctl.json.0123456789ab",
    "agentctl/node-v24.0.0.0123456789ab",
    "agentctl/0.1.0-0123abcd.Ab12Cd/agentctl.js",
    "blobs/generation.0123456789ab",
    "blobs/damage.json.0123456789ab",
  ];
  const persons = [
    "token.backup",
    "token.0123456789AB",
    "notes.Ab12Cd",
    "notes.0123456789ab",
    "server.json.0123456789ab/kept",
    ".doctor-Ab12Cd/kept",
    ".doctor-note",
    "agentctl/node-v24.0.0",
    "agentctl/node-v24.0.1.0123456789ab/kept",
    "agentctl/0.1.0-notes.Ab12Cd",
    "agentctl/0.1.0-0123abcd.Xy12Zw",
    "blobs/notes.0123456789ab",
  ];
  for (const path of [...left, ...persons]) await put(path);
  await mkdir(at(".doctor-Xy12Zw"));
  await live(house);
  assert.deepEqual(
    [...left, ".doctor-Xy12Zw"].filter((path) => existsSync(at(path))),
    [],
  );
  assert.deepEqual(
    persons.filter((path) => !existsSync(at(path))),
    [],
  );
});
