/** What Copilot 1.0.102 offers when a session is opened, cut to what matters. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { copilot } from "../../../agents/copilot/copilot.ts";
import type { AgentDefinition } from "../../../contract/agent/agent.ts";
import { HELLO, opened, play, setupOf } from "./fixtures/played-agent.ts";

const MODES = "https://agentclientprotocol.com/protocol/session-modes";
const modes = ["agent", "plan", "autopilot"].map((name) => `${MODES}#${name}`);

const offer = (allow_all: "on" | "off") => ({
  configOptions: [
    {
      type: "select",
      id: "mode",
      category: "mode",
      currentValue: `${MODES}#agent`,
      options: modes.map((value) => ({ value })),
    },
    {
      type: "select",
      id: "allow_all",
      category: "permissions",
      currentValue: allow_all,
      options: [{ value: "on" }, { value: "off" }],
    },
  ],
  modes: {
    availableModes: modes.map((id) => ({ id })),
    currentModeId: `${MODES}#agent`,
  },
});

const open = (
  definition: Partial<AgentDefinition>,
  allow_all: "on" | "off" = "off",
) => {
  const plain = setupOf({ kind: "new" });
  const { asks } = copilot;
  const played = play({
    ...plain,
    definition: { ...plain.definition, ...definition },
    agent: { ...plain.agent, ...(asks && { asks }) },
  });
  played.say(HELLO);
  played.say({ id: "i1.new", result: { sessionId: "s", ...offer(allow_all) } });
  return played;
};

const stopped = ({ all }: ReturnType<typeof open>) => {
  const failed = all.find((it) => it.kind === "failed");
  assert.equal(failed?.failure, "restriction_not_held");
  return failed.restriction;
};

test("[LNK-56] a mode that Copilot does not have stops it, with those that it has", () => {
  const restriction = stopped(open({ mode: "readonly" }));
  assert.deepEqual(restriction?.valid, modes);
});

test("[LNK-68] a mode of Copilot is named by its id or by what follows the #", () => {
  for (const mode of ["plan", `${MODES}#plan`]) {
    const played = open({ mode });
    played.say({ id: "i1.mode", result: {} });
    assert.deepEqual(opened(played.all)?.applied?.mode, {
      value: `${MODES}#plan`,
      held: "agent",
    });
  }
});

test("[LNK-68] a permission policy stops Copilot while it is allowed everything", () => {
  const permissions = { default: "ask" as const, rules: [] };
  assert.notEqual(opened(open({ permissions }).all), undefined);
  const restriction = stopped(open({ permissions }, "on"));
  assert.deepEqual(
    [restriction?.what, restriction?.reason],
    ["permissions", "not_asked"],
  );
  assert.notEqual(opened(open({}, "on").all), undefined);
});
