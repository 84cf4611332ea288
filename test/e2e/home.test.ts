import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  chown,
  mkdir,
  realpath,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { TestHouse, root, say } from "./house.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";

const NOBODY = 65534;

test("a home that cannot be written is refused with what to do", async () => {
  await using house = await TestHouse.make();
  const home = join(house.directory, "read-only");
  await mkdir(home, { mode: 0o555 });
  // Root may write everywhere: the server runs as somebody who may not.
  const other = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (other.uid !== undefined) await chown(home, NOBODY, NOBODY);
  await chmod(house.directory, 0o755);
  const child = spawn(
    process.execPath,
    [join(root, "src/bin.ts"), "up", "--port", "0", "--home", home],
    {
      env: house.env(),
      stdio: ["ignore", "pipe", "pipe"],
      ...other,
    },
  );
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => (words += chunk.toString()));
  const [code] = await once(child, "close");
  assert.equal(code, 1);
  assert.match(words, /cannot be written/);
  assert.match(words, /--home/);
  assert.ok(!words.includes("    at "), "no stack trace");
});

test("a home that is a file, and a configuration that does not fit, are refused with what is wrong", async () => {
  await using house = await TestHouse.make();
  const file = join(house.directory, "file");
  await writeFile(file, "");
  const onFile = await house.cli(["up", "--port", "0", "--home", file]);
  assert.equal(onFile.code, 1);
  assert.match(onFile.err, /is a file, not a directory/);
  await writeFile(
    join(house.home, "config.json"),
    '{"idle_minutes": "soon", "colour": "red"}',
  );
  const misfit = await house.cli(["up", "--port", "0"]);
  assert.equal(misfit.code, 1);
  assert.match(misfit.err, /idle_minutes/);
  assert.match(misfit.err, /colour/);
  await writeFile(join(house.home, "config.json"), "{");
  const { err } = await house.cli(["up", "--port", "0"]);
  assert.match(err, /config\.json is not valid JSON: [A-Z]/);
  assert.doesNotMatch(err, /SyntaxError/);
});

test("a home whose path is too long for a socket works all the same", async () => {
  const long = join("a".repeat(60), "b".repeat(60));
  await using house = await TestHouse.make({}, long);
  const { client } = await house.up();
  const session = await client.createSession({ cwd: house.workspace });
  assert.match(await say(client, session.id, "hello"), /You said: hello/);
  await assert.rejects(stat(join(house.home, "agentctl/agentctl.sock")));
});

test("[P8] a home that is reached through a link is guarded like any other", async () => {
  await using house = await TestHouse.make();
  const link = join(house.directory, "link");
  await symlink(house.home, link);
  const { client } = await house.up({ REPRISE_HOME: link });
  for (const way of [link, house.home])
    await assert.rejects(
      client.createSession({ cwd: join(way, "sessions") }),
      /belongs to Reprise itself/,
    );
  const { cwd } = await client.createSession({});
  assert.equal(cwd, await realpath(cwd));
});

test("a directory that is missing or is a file is refused before a session is made", async () => {
  await using house = await TestHouse.make();
  const { client } = await house.up();
  await writeFile(join(house.workspace, "file"), "");
  await assert.rejects(
    client.createSession({ cwd: join(house.workspace, "nowhere") }),
    { code: "cwd_not_found" },
  );
  await assert.rejects(
    client.createSession({ cwd: join(house.workspace, "file") }),
    { code: "cwd_not_a_directory" },
  );
  assert.deepEqual((await client.listSessions()).sessions, []);
});

test("an idle session is paused by itself and comes back with its memory", async () => {
  await using house = await TestHouse.make({ idle_minutes: 0.01 });
  const { client } = await house.up();
  const session = await client.createSession({
    cwd: house.workspace,
    prompt: "remember pass=mellon",
  });
  for await (const event of client.follow(session.id, {
    signal: AbortSignal.timeout(patience(30_000)),
  }))
    if (event.type === "session.state_changed" && event.data.to === "PAUSED") {
      assert.equal(event.data.reason, "idle");
      break;
    }
  assert.equal(
    (await say(client, session.id, "recall pass")).trim(),
    "pass=mellon",
  );
});
