import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { identify } from "../kit/processes/process-identity.ts";
import { callerEnv } from "./caller-env.ts";

test("[SES-61] the server of the own home gets the environment while it runs, any other one nothing", async (t) => {
  const REPRISE_HOME = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(REPRISE_HOME, { recursive: true }));
  const asked = (env: Record<string, string> = {}) =>
    callerEnv({
      cwd: "/",
      env: {
        REPRISE_HOME,
        KEY: "hush",
        npm_package_name: "mine",
        "BASH_FUNC_which%%": "() { :; }",
        BROKEN: "\ud800",
        ...env,
      },
    });
  assert.deepEqual(await asked(), {}, "no server is known here");
  const url = "http://127.0.0.1:1234";
  const server = await identify(process.pid);
  const leave = (about: object) =>
    writeFile(
      join(REPRISE_HOME, "server.json"),
      JSON.stringify({ url, ...about }),
    );
  for (const killed of [
    { pid: process.pid },
    { ...server, start_time: "1" },
    { ...server, boot_id: "another" },
  ]) {
    await leave(killed);
    assert.deepEqual(await asked(), {}, "anybody may listen there by now");
  }
  await leave({ ...server });
  assert.deepEqual(await asked({ REPRISE_EXECUTION: "exe_1" }), {});
  assert.deepEqual(await asked(), { caller_env: { KEY: "hush" } });
  assert.deepEqual(await asked({ REPRISE_URL: url }), {
    caller_env: { KEY: "hush" },
  });
  for (const REPRISE_URL of ["http://localhost:5", "https://reprise.example"])
    assert.deepEqual(await asked({ REPRISE_URL }), {});
});
