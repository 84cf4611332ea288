import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { agentOf } from "../../src/agents/registry.ts";
import { packagesOf } from "./packages.ts";
import { page } from "./shown.ts";

const versions = Object.entries(packagesOf).flatMap(([agent, { packages }]) =>
  Object.entries(packages).map((pinned) => [agent, ...pinned] as const),
);

test("what we tell people to install is what is tested", () => {
  for (const [id, name, version] of versions) {
    const agent = agentOf(id);
    const told = [agent?.install, agent?.cli?.install].join(" ");
    assert.ok(told.includes(`${name}@${version}`), `${told}: ${version}`);
  }
});

test("docs/agents.md names the versions that are tested", async () => {
  const lines = (await readFile(page, "utf8")).split("\n");
  for (const [, name, version] of versions)
    assert.ok(
      lines.some((line) => line.includes(name) && line.includes(version)),
      `${name} ${version}`,
    );
});
