/** The inspector of the protocol's makers, strict, in both eras: a client that we did not write. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { patience } from "../../src/kit/fixtures/patience.ts";
import { type Scene, sharedHouse } from "../e2e/shared-house.ts";
import { inspectorProgram } from "./inspector.ts";
import { bin, type Era, eras } from "./mcp-client.ts";

const test = sharedHouse();

const inspect = async (
  { house, workspace }: Scene,
  era: Era,
  ...asked: string[]
): Promise<string> => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [
      await inspectorProgram("mcp-inspector"),
      "--cli",
      ...(era === "modern" ? ["--protocol-era", "modern"] : []),
      "-e",
      `REPRISE_HOME=${house.home}`,
      "-e",
      `HOME=${house.directory}`,
      ...asked,
      bin,
      "mcp",
    ],
    {
      cwd: workspace,
      env: house.env(),
      timeout: patience(60_000),
      maxBuffer: 16 * 1024 * 1024,
    },
  );
  assert.doesNotMatch(stderr, /warn|error/i, stderr);
  return stdout;
};

for (const era of eras) {
  test(`[MCP-1] the inspector finds no fault with the tools, ${era}`, async (scene) => {
    const listed = await inspect(
      scene,
      era,
      "--method",
      "tools/list",
      "--strict",
    );
    assert.match(listed, /"invoke_agent"/);
    assert.doesNotMatch(listed, /"type":\s*\[/);
  });

  test(`[MCP-1] the inspector has an agent work, ${era}`, async (scene) => {
    const answer = await inspect(
      scene,
      era,
      "--method",
      "tools/call",
      "--tool-name",
      "invoke_agent",
      "--tool-args-json",
      JSON.stringify({ agentName: "demo", prompt: "recall x" }),
    );
    assert.match(answer, /"status":\s*"completed"/);
    assert.match(answer, /x is unknown/);
  });
}
