/** Where the runs of a race may work. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeServer, refusal } from "../fixtures/fake-server.ts";
import { runCli } from "../fixtures/run-cli.ts";
import { SESSION } from "../fixtures/sample.ts";

const race = ["race", "hello", "--name", "r"];

test("[EXE-41] a race takes the machine of the server by any of its names", async (t) => {
  const server = await fakeServer(t, {
    showAgreement: ({ params }) => ({ name: params["name"], value: null }),
    createSession: () => {
      throw refusal("not_a_repository");
    },
  });
  const given = { url: server.url, cwd: "/" };
  await runCli(t, [...race, "--executor", "local"], given);
  const sent = server.asked.find(({ name }) => name === "createSession")?.body;
  assert.partialDeepStrictEqual(sent, {
    executor: "standalone",
    worktree: "/",
  });
});

test("[EXE-41] any other place is refused in words, and nothing is started", async (t) => {
  const server = await fakeServer(t, {});
  for (const [flags, words] of [
    [["--host", "box"], /machine of the server only/],
    [["--executor", "remote_docker"], /machine of the server only/],
    [["--image", "debian"], /machine of the server only/],
    [["--executor", "local", "--host", "box"], /leave out --host/],
    [["--executor", "local", "--session", SESSION], /where its session does/],
    [["--executor", "podman"], /must be one of standalone/],
    [["--executor", "ssh"], /machine of the server only/],
  ] as const) {
    const { code, stderr } = await runCli(t, [...race, ...flags], {
      url: server.url,
    });
    assert.equal(code, 2);
    assert.match(stderr, words);
  }
  assert.deepEqual(server.asked, []);
});
