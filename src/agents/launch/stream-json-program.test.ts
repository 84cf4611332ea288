import assert from "node:assert/strict";
import { test } from "node:test";
import type { Where } from "./launch.ts";
import { agentOf } from "../registry.ts";

const where: Where = {
  path: "/usr/bin:/bin",
  env: {},
  programs: "/nowhere",
  node: process.execPath,
};

test("configuration has an agent held by its CLI: our adapter starts it, in its dialect", async () => {
  for (const id of ["claude", "codex", "amp"]) {
    const agent = agentOf(id, {
      driver: "stream-json",
      command: ["env", "-x"],
    });
    assert.equal(agent?.driver, "stream-json");
    const { argv = [] } = (await agent.locate(where)) ?? {};
    assert.match(argv[1] ?? "", /stream-json\/main\.ts$/);
    assert.deepEqual(argv.slice(2, 5), ["--dialect", id, "--"]);
    assert.match(argv[5] ?? "", /\/env$/);
    assert.equal(argv[6], "-x");
  }
});

test("a CLI that only the configuration knows speaks as it says, or as Claude Code does", async () => {
  const dialect = async (said?: "codex"): Promise<string | undefined> => {
    const driver = "stream-json" as const;
    const command = ["env"];
    const agent = agentOf(
      "mine",
      said === undefined
        ? { driver, command }
        : { driver, command, dialect: said },
    );
    return (await agent?.locate(where))?.argv[3];
  };
  assert.equal(await dialect("codex"), "codex");
  assert.equal(await dialect(), "claude");
});

test("what holds for an agent's ACP program is not held against its CLI", async () => {
  const agent = agentOf("claude", { driver: "stream-json" });
  assert.deepEqual(agent?.quirks, {});
  assert.match(agent?.install ?? "", /@anthropic-ai\/claude-code@/);
  const gemini = agentOf("gemini", { driver: "stream-json" });
  assert.equal(await gemini?.locate(where), null, "nobody reads its lines");
});
