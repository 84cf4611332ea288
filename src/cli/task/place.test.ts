/** Where the sessions of a task run, as it is said on the command line and in files. */
import assert from "node:assert/strict";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fakeServer, refusal } from "../fixtures/fake-server.ts";
import { runCli } from "../fixtures/run-cli.ts";
import { sampleTask, TASK } from "../fixtures/sample-task.ts";

const directory = async (t: TestContext): Promise<string> => {
  const path = await realpath(await mkdtemp(join(tmpdir(), "reprise-place-")));
  t.after(() => rm(path, { recursive: true }));
  return path;
};

const create = ["task", "create", "Test it", "--description", "make test"];

test("[API-260] [API-261] [EXE-40] task create says where the task runs; paths on a host stay as they are typed", async (t) => {
  const server = await fakeServer(t, { createTask: () => sampleTask() });
  const cwd = await directory(t);
  for (const [typed, sent] of [
    [["--executor", "local_docker", "--image", "debian:12"], { cwd }],
    [["--host", "box"], {}],
    [["--executor", "remote", "--cwd", "srv/project"], {}],
  ] as const) {
    const { code, stderr } = await runCli(t, [...create, ...typed], {
      url: server.url,
      cwd,
    });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
    assert.partialDeepStrictEqual(server.asked.at(-1)?.body, sent);
  }
  const [boxed, far, typed] = server.asked.map(({ body }) => body);
  assert.partialDeepStrictEqual(boxed, {
    executor: "docker",
    image: "debian:12",
  });
  assert.partialDeepStrictEqual(far, { host: "box" });
  assert.ok(typeof far === "object" && far !== null && !("cwd" in far));
  assert.partialDeepStrictEqual(typed, {
    executor: "remote",
    cwd: "srv/project",
  });
});

test("[EXE-40] another executor is refused in the words of the command line, before anything is sent", async (t) => {
  const server = await fakeServer(t, {});
  for (const words of [create, ["session", "start"]]) {
    const { code, stderr } = await runCli(
      t,
      [...words, "--executor", "podman"],
      {
        url: server.url,
      },
    );
    assert.equal(code, 2);
    assert.match(
      stderr,
      /--executor must be one of standalone, remote, ssh, docker, not "podman"/,
    );
  }
  assert.deepEqual(server.asked, []);
});

test("[API-260] [API-261] a file of tasks says where each runs", async (t) => {
  const server = await fakeServer(t, {
    showTaskByName: () => {
      throw refusal("task_not_found");
    },
    applyTask: () => sampleTask({ name: "n" }),
  });
  const cwd = await directory(t);
  const input = `apiVersion: reprise/v1
kind: Task
name: boxed
title: T
executor: local_docker
image: debian:12
---
apiVersion: reprise/v1
kind: Task
name: far
title: T
host: box
cwd: srv/project
`;
  const { code, stderr } = await runCli(t, ["apply", "-f", "-"], {
    url: server.url,
    cwd,
    input,
  });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  const bodies = server.asked
    .filter(({ name }) => name === "applyTask")
    .map(({ body }) => body);
  assert.partialDeepStrictEqual(bodies, [
    { executor: "docker", image: "debian:12", cwd },
    { host: "box", cwd: "srv/project" },
  ]);
});

test("[API-260] task show tells where a task runs", async (t) => {
  for (const [session, words] of [
    [{ host: "box" }, "box"],
    [{ executor: "ssh", host: "box" }, "ssh box"],
    [{ executor: "docker", image: "debian:12" }, "docker debian:12"],
  ] as const) {
    const server = await fakeServer(t, {
      showTask: () => sampleTask({ session }),
      listAttempts: () => ({ attempts: [], next: null }),
    });
    const { stdout } = await runCli(t, ["task", "show", TASK], {
      url: server.url,
    });
    assert.match(stdout, new RegExp(`^ {2}runs on +${words}$`, "m"));
  }
});
