import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { withBench } from "./fixtures/bench.ts";

const demo = fileURLToPath(
  new URL("../programs/demo/main.ts", import.meta.url),
);

test("[LNK-68] an agent that a variable lets act unasked is not started where a policy asks", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.order("copilot", {
      override: { command: [process.execPath, demo] },
      definition: {
        agent: "copilot",
        home: "user",
        env_names: [],
        permissions: { default: "ask", rules: [] },
      },
    });
    order.env["COPILOT_ALLOW_ALL"] = "true";
    await link.call("start", order);
    const failed = await link.wait(order, "start_failed");
    assert.equal(failed.failure, "restriction_not_held");
    assert.equal(failed.restriction?.reason, "not_asked");
  }));
