import assert from "node:assert/strict";
import { test } from "node:test";
import { agentOf } from "./registry.ts";

const asks = (
  id: string,
  mode: string | null,
  override: Parameters<typeof agentOf>[1] = {},
  chosen: Record<string, string> = {},
): string => agentOf(id, override)?.asks?.(mode, chosen) ?? "some";

test("[LNK-58] modes in which an agent asks nothing are known", () => {
  for (const [id, mode] of [
    ["claude", "bypassPermissions"],
    ["claude", "auto"],
    ["codex", "agent-full-access"],
    ["gemini", "yolo"],
    [
      "copilot",
      "https://agentclientprotocol.com/protocol/session-modes#autopilot",
    ],
  ] as const) {
    assert.equal(asks(id, mode), "none", id);
    assert.equal(asks(id, "plan"), "some", id);
    assert.equal(asks(id, null), "some", id);
  }
});

test("[LNK-58] [LNK-59] a CLI asks only where it can, and follows the person's configuration by itself", () => {
  const cli = { driver: "stream-json" } as const;
  assert.equal(asks("codex", "read-only", cli), "none");
  assert.equal(asks("claude", "plan", cli), "some");
  assert.ok(agentOf("codex")?.ownMode);
  assert.equal(agentOf("codex", cli)?.ownMode, undefined);
});

test("[LNK-58] configuration says of an agent that it asks before every tool", () => {
  assert.equal(asks("opencode", null, { asks: "all" }), "all");
  const command = ["/bin/true"];
  assert.equal(asks("mine", null, { command, asks: "none" }), "none");
});

test("[LNK-68] Copilot asks nothing with its option for that, nor with the variable, which the option does not show", () => {
  const mode = "https://agentclientprotocol.com/protocol/session-modes#agent";
  assert.equal(asks("copilot", mode, {}, { allow_all: "on" }), "none");
  assert.equal(asks("copilot", mode, {}, { allow_all: "off" }), "some");
  const allowed = (value?: string) =>
    agentOf("copilot")?.allowsAll?.(
      value === undefined ? {} : { COPILOT_ALLOW_ALL: value },
    );
  assert.equal(allowed("true"), true);
  assert.equal(allowed("1"), true);
  for (const value of [undefined, "", "0", "false"])
    assert.equal(allowed(value), false, value);
});
