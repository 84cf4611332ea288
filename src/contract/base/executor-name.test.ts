import assert from "node:assert/strict";
import { test } from "node:test";
import { Config } from "../api/config.ts";
import { AgentsQuery, CreateSessionRequest } from "../api/request.ts";
import { ExecutorKind, ExecutorName } from "./executor-name.ts";

const OTHER_NAMES = {
  local: "standalone",
  local_standalone: "standalone",
  local_docker: "docker",
  remote_docker: "docker",
};

test("[EXE-40] an executor is read by our name and by the runtime names, and what is read is ours", () => {
  for (const [name, ours] of [
    ...ExecutorKind.options.map((kind) => [kind, kind]),
    ...Object.entries(OTHER_NAMES),
  ]) {
    const executor = name;
    for (const schema of [CreateSessionRequest, AgentsQuery])
      assert.equal(schema.parse({ executor }).executor, ours);
    const { profiles } = Config.parse({
      profiles: { one: { agent: "demo", executor } },
    });
    assert.equal(profiles["one"]?.executor, ours);
  }
});

test("[EXE-40] any other name is refused with those that there are", () => {
  for (const name of [
    "",
    "Docker",
    "podman",
    "constructor",
    "__proto__",
    null,
    7,
  ])
    assert.match(
      ExecutorName.safeParse(name).error?.issues[0]?.message ?? "",
      /standalone.*remote.*docker.*local_docker/,
    );
});
