/** The real program alone, without Reprise: it shows that the model, the set-up and the agent fit together. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { methods } from "@agentclientprotocol/sdk";
import { endMarked } from "../../src/kit/processes/marked-processes.ts";
import { drive, type Driven } from "../agents/drive.ts";
import { startModel } from "./model/server.ts";
import type { RealAgent } from "./packages.ts";
import { setUpOf } from "./set-up.ts";
import { makeStage, type Stage } from "./stage.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";

export const testDirectly = (agent: RealAgent, timeout: number): void => {
  const name = `${agent} itself: killed in the middle of a stream, a new process loads the session and knows the passkey`;
  test(name, { timeout }, async (t) => {
    await using model = await startModel();
    await using stage = await makeStage(agent, model);
    const mark = `REPRISE_EXECUTION=${randomUUID()}`;
    const passkey = randomUUID();

    const first = launch(t, stage, mark);
    const session = await first.open(stage.workspace);
    await first.prompt(session, `store passkey ${passkey}`);
    first.prompt(session, "stream 1000 20").catch(() => {});
    await first.until(() => /\b5 /.test(first.said()));
    await endMarked(mark, patience(5000));
    await mayLoad(agent);

    const second = launch(t, stage, mark);
    await second.initialize();
    await second.agent.request(methods.agent.session.load, {
      sessionId: session,
      cwd: stage.workspace,
      mcpServers: [],
    });
    await second.prompt(session, "say the passkey");
    assert.ok(second.said().endsWith(passkey), second.said());
    assert.deepEqual(model.strange, []);
    await endMarked(mark, patience(5000));
  });
};

/** With nothing in its environment but what the stage gives it. */
const launch = (t: TestContext, stage: Stage, mark: string): Driven => {
  const variables = Object.entries({ ...stage.env, PWD: stage.workspace }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const { argv } = setUpOf[stage.agent];
  return drive(t, ["env", "-i", ...variables, mark, ...argv]);
};

/** Gemini loses a session that it loads within the minute of its beginning by the clock. */
const mayLoad = async (agent: RealAgent): Promise<void> => {
  if (agent === "gemini") await wait(60_500 - (Date.now() % 60_000));
};
