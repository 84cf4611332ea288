/** Agents that come back with less than everything, and sessions that cannot: in the exact words of PAG-30 and PAG-34. */
import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { agentctlOf } from "../../src/executors/standalone/frozen.ts";
import { pageTests } from "./fixtures/page-test.ts";
import { axeFindings } from "./fixtures/axe.ts";
import {
  agentSays,
  bandSays,
  beginSession,
  box,
  conversationSays,
  findServer,
  GONE,
  startAgain,
} from "./fixtures/session-test.ts";

const test = pageTests({ auto_resume: false });

const press = (page: Page, name: string) =>
  page
    .getByRole("region", { name: "Where the session stands" })
    .getByRole("button", { name, exact: true })
    .click();

test("[PAG-30] [PAG-32] [PAG-34] an agent without memory: the three sentences, and what was lost", async (stage) => {
  const session = await beginSession(stage.scene, { agent: "demo-fresh" });
  await session.say("remember colour=teal");
  await session.isQuiet();
  await session.killAgent();
  const page = await stage.open(session.path);
  await bandSays(
    page,
    "**This agent doesn’t support resuming. Start a new session.** This agent cannot resume previous sessions. Create a new session. | [Create new session] · Start it without memory | Create new session to continue messaging.",
  );
  assert.deepEqual(await axeFindings(page), []);
  await press(page, "Start it without memory");
  await conversationSays(
    page,
    /The agent was killed by SIGKILL \w+ at \d\d:\d\d fresh The agent does not remember\. \S.+/,
  );
  await bandSays(page, " |  | Write to Demo (no memory)");
});

test("[PAG-30] [PAG-34] an agent that is told its history, in a workspace that somebody changed", async (stage) => {
  const session = await beginSession(stage.scene, { agent: "demo-inject" });
  await session.say("write a.txt one\nremember colour=teal");
  await session.isQuiet();
  // What somebody changes before the capture is over belongs to the turn.
  await session.isCaptured(1);
  await session.killAgent();
  await writeFile(join(stage.scene.workspace, "a.txt"), "two");
  const page = await stage.open(session.path);
  await bandSays(
    page,
    "**The agent is not running.** It will be given the history as text. | [Resume session] | Write to Demo (history injection)",
  );
  await press(page, "Resume session");
  await conversationSays(
    page,
    /The agent was killed by SIGKILL \w+ at \d\d:\d\d injected History injected.* The workspace has changed since\. It was not touched\./,
  );
  await box(page).fill("recall colour");
  await box(page).press("Enter");
  await agentSays(page, "colour=teal");
});

test("[PAG-30] a directory that is gone: it is back from its checkpoint, or has to be put back", async (stage) => {
  const { scene } = stage;
  const captured = await beginSession(scene);
  await captured.say("write a.txt kept");
  await captured.isQuiet();
  // What comes back is what was captured.
  await captured.isCaptured(1);
  await captured.killAgent();
  await rm(scene.workspace, { recursive: true });
  const page = await stage.open(captured.path);
  await bandSays(page, /^\*\*The agent is not running\.\*\*/);
  await press(page, "Resume session");
  await conversationSays(page, /The directory was gone\. .+ back\./);
  await scene.client.endSession(captured.id);

  const bare = await beginSession(scene, { checkpoints: false });
  await bare.say("hello");
  await bare.isQuiet();
  await bare.killAgent();
  await rm(scene.workspace, { recursive: true });
  const other = await stage.open(bare.path);
  await bandSays(
    other,
    "**The agent cannot be brought back.** Its working directory is gone and there is no checkpoint of it: put it back first. | Try again | Write to Demo",
  );
});

test("[PAG-30] a budget that is used up, and a quota that waits for a word", async (stage) => {
  const spent = await beginSession(stage.scene, { budget: { turns: 1 } });
  await spent.say("hello");
  await spent.say("and again");
  const page = await stage.open(spent.path);
  await bandSays(
    page,
    "**The budget is used up.** 1 prompt waits until it is raised. |  | Write to Demo",
  );
  const waiting = await beginSession(stage.scene);
  await waiting.say("quota 3600");
  const other = await stage.open(waiting.path);
  await bandSays(
    other,
    /^\*\*Quota used up until (tomorrow at )?\d\d:\d\d\.\*\* Turn 1 waits for your word\. \| Go on now · Drop it \| Write to Demo$/,
  );
});

test("[PAG-30] [PAG-31] a prompt of which nobody knows whether the agent took it, sent again once", async (stage) => {
  const { scene } = stage;
  // Where turns are captured, one waits for an agentctl that stands still until that is ended and another one takes the prompt.
  const session = await beginSession(scene, { checkpoints: false });
  await session.say("hello");
  await session.isQuiet();
  const page = await stage.open(session.path);
  await bandSays(page, " |  | Write to Demo");
  const { url } = scene.server;
  const { home } = scene.house;
  const { last_seq, agent_execution_id } = await session.show();
  // agentctl stands still while the prompt is handed over, and then everything loses power, what it wrote with it.
  const daemon = await agentctlOf(join(home, "agentctl"));
  assert.ok(daemon !== null);
  process.kill(daemon.pid, "SIGSTOP");
  await session.say("count 3 0");
  await session.until(({ type }) => type === "session.turn.started", last_seq);
  await scene.server.kill();
  await scene.house.killAgentctl();
  await rm(join(home, "agentctl/executions", agent_execution_id ?? ""), {
    recursive: true,
  });
  await page.getByRole("status").filter({ hasText: "is away" }).waitFor();
  await startAgain(scene, url);
  await findServer(page);
  await bandSays(
    page,
    /^\*\*Nobody knows whether the agent took this prompt\.\*\* “count 3 0” The agent .+\. \| Continue · Resend · Drop \| Write to Demo$/,
  );
  assert.deepEqual(await axeFindings(page), []);
  await page.getByRole("button", { name: "Resend" }).dblclick();
  await page
    .getByText(/^Completed in/)
    .last()
    .waitFor();
  await session.isQuiet();
  const all = await session.until(
    ({ seq, type }) => seq > last_seq && type === "session.turn.ended",
  );
  const count = (wanted: string) =>
    all.filter(({ seq, type }) => seq > last_seq && type === wanted).length;
  assert.equal(count("session.prompt.uncertain"), 1);
  assert.equal(count("session.prompt.resolved"), 1);
  assert.equal(count("session.turn.started"), 2);
  stage.forgive(GONE);
});
