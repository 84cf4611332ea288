import assert from "node:assert/strict";
import { test } from "node:test";
import { Offered, nothingOffered } from "./offered.ts";
import { afterUpdate, bounded, offeredIn } from "./offered-words.ts";

const mode = { id: "mode", category: "mode", currentValue: "ask" };
const told = {
  modes: {
    currentModeId: "ask",
    availableModes: [
      { id: "ask", name: "Ask", description: "asks first" },
      { id: "plan" },
      { name: "without an id" },
    ],
  },
  configOptions: [
    {
      ...mode,
      options: [{ group: "g", options: [{ value: "ask" }, { value: "plan" }] }],
    },
    { id: "web", type: "boolean", currentValue: true },
    { name: "without an id" },
    null,
  ],
};

test("[SES-88] what an agent offers is read as far as it fits", () => {
  const offered = Offered.parse(offeredIn(told));
  assert.deepEqual(offered.modes?.available, [
    { id: "ask", name: "Ask", description: "asks first" },
    { id: "plan", name: "plan", description: null },
  ]);
  assert.deepEqual(
    offered.options.map(({ id, current, values }) => [
      id,
      current,
      values.map(({ value }) => value),
    ]),
    [
      ["mode", "ask", ["ask", "plan"]],
      ["web", "true", ["true", "false"]],
    ],
  );
  assert.equal(offered.options[1]?.type, "boolean");
  for (const nonsense of [null, 7, "x", { modes: 7, configOptions: "x" }])
    assert.deepEqual(offeredIn(nonsense), nothingOffered);
});

test("[SES-88] an update of the agent is followed, in both places where it tells its mode", () => {
  const offered = offeredIn(told);
  const after = afterUpdate(offered, {
    sessionUpdate: "current_mode_update",
    currentModeId: "plan",
  });
  assert.deepEqual(
    [after.modes?.current, after.options[0]?.current],
    ["plan", "plan"],
  );
  const options = afterUpdate(offered, {
    sessionUpdate: "config_option_update",
    configOptions: [{ ...mode, currentValue: "plan", options: [] }],
  });
  assert.deepEqual(
    [options.modes?.current, options.options.length],
    ["plan", 1],
  );
  for (const other of [null, "x", { sessionUpdate: "plan", entries: [] }])
    assert.equal(afterUpdate(offered, other), offered);
});

test("[SES-88] of a very long offer the beginning and what is chosen are kept", () => {
  const models = Array.from({ length: 5000 }, (_, n) => ({
    value: `model-${n}`,
    name: "n".repeat(300),
    description: "d".repeat(1000),
  }));
  const long = offeredIn({
    configOptions: [
      {
        id: "model",
        category: "model",
        currentValue: "model-4999",
        options: models,
      },
    ],
  });
  const short = bounded(long);
  assert.equal(short.shortened, true);
  assert.ok(JSON.stringify(short).length <= 64 * 1024);
  const [option] = short.options;
  assert.deepEqual(
    [option?.values[0]?.value, option?.values.at(-1)?.value],
    ["model-0", "model-4999"],
  );
  assert.deepEqual(bounded(offeredIn(told)), offeredIn(told));
});
