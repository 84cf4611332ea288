/** The passkey program, as a person runs it. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { root, type TestHouse } from "./house.ts";
import { sharedHouse } from "./shared-house.ts";

const test = sharedHouse({
  agents: {
    forgetful: {
      command: [process.execPath, join(root, "test/agents/hostile-text.ts")],
    },
  },
});

const passkey = async (house: TestHouse, cwd: string, agent: string) => {
  const program = spawn(
    join(root, "examples/test-session-resume-passkey.js"),
    [agent],
    { cwd, env: house.env(), stdio: ["ignore", "pipe", "pipe"] },
  );
  const output = Promise.all([text(program.stdout), text(program.stderr)]);
  const [code] = await once(program, "exit");
  const [stdout, stderr] = await output;
  return { code, stdout, stderr };
};

test("[MCP-66] a passkey is remembered across two invocations, and the program says so", async ({
  house,
  workspace,
}) => {
  const { code, stdout, stderr } = await passkey(house, workspace, "demo");
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    /SUCCESS: Session memory persistence is working correctly!/,
  );
});

test("[MCP-66] an agent that does not remember is found out", async ({
  house,
  workspace,
}) => {
  const { code, stdout, stderr } = await passkey(house, workspace, "forgetful");
  assert.equal(code, 1);
  assert.match(stderr, /FAILED: The agent recalled the passkey\./);
  assert.doesNotMatch(stdout, /SUCCESS/);
});
