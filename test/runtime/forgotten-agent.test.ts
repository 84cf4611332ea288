import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentView } from "../../src/contract/agent/agent.ts";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import { house, request, turnEnded, until } from "./house.ts";

/** Finds every agent that it is asked for. */
class AnyAgent extends FakePlace {
  override async agents(
    ...[{ only }]: Parameters<FakePlace["agents"]>
  ): Promise<AgentView[]> {
    const [demo] = await super.agents({ overrides: {} });
    assert.ok(demo !== undefined);
    const missing = this.installed ? null : "own-acp";
    const { installed } = this;
    return [{ ...demo, id: only?.id ?? demo.id, installed, missing }];
  }
}

for (const [agent, words] of [
  ["demo", /The agent demo is not installed here\. Install it/],
  ["own", /The agent own is not known here: config\.json no longer defines it/],
] as const)
  test(`[SES-45] a resume says why ${agent} cannot be started`, async () => {
    const place = new AnyAgent();
    const runtime = await house(fakeExecutors(place));
    const { operations } = runtime;
    const { id } = await operations.createSession(
      request({ agent, prompt: "hello" }),
    );
    await until(runtime, id, turnEnded(1));
    await operations.pauseSession(id);
    place.installed = false;
    await assert.rejects(operations.resumeSession(id), {
      reason: "agent_not_installed",
      message: words,
    });
    await runtime.close();
  });

test("[API-137] a session for an agent that is not installed is refused with the program that is missing", async () => {
  const place = new AnyAgent();
  place.installed = false;
  const runtime = await house(fakeExecutors(place));
  await assert.rejects(
    runtime.operations.createSession(request({ agent: "own" })),
    { code: "agent_not_installed", message: /own-acp was not found/ },
  );
  await runtime.close();
});
