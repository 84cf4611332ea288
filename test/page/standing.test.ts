/** Each row of the table in PAG-30, with agents that are really held, killed and broken: texts and buttons by their exact words. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { programOfProduct } from "../../src/kit/fixtures/product.ts";
import { root } from "../e2e/house.ts";
import type { Scene } from "../e2e/shared-house.ts";
import { axeFindings } from "./fixtures/axe.ts";
import { pageTests, PHONE } from "./fixtures/page-test.ts";
import {
  agentSays,
  bandSays,
  beginSession,
  box,
  conversationSays,
  JUST_NOW,
} from "./fixtures/session-test.ts";

const demo = programOfProduct(
  "demo-agent",
  join(root, "src/programs/demo/main.ts"),
);

/** The demo agent, which waits where there is a FIFO `hold`, and ends at once where there is a file `broken`. */
const COMMAND = [
  "sh",
  "-c",
  `[ -p "$HOME/hold" ] && : <"$HOME/hold"; [ -e "$HOME/broken" ] && exit 3; exec "$0" "$@"`,
  process.execPath,
  demo,
];

const test = pageTests({
  auto_resume: false,
  agents: { demo: { command: COMMAND } },
});

/** Agents that are started now wait until it is disposed of. */
const held = ({ house }: Scene): AsyncDisposable => {
  const path = join(house.directory, "hold");
  execFileSync("mkfifo", [path]);
  return {
    async [Symbol.asyncDispose]() {
      const writer = openSync(path, constants.O_RDWR);
      await rm(path);
      closeSync(writer);
    },
  };
};

const press = (page: Page, name: string) =>
  page
    .getByRole("region", { name: "Where the session stands" })
    .getByRole("button", { name, exact: true })
    .click();

const READY = " |  | Write to Demo";
/** A slow start counts its seconds. */
const IN_A_MOMENT = String.raw`Files and terminals open in a moment\.(?: Still starting, \d+ s\.)?`;

test("[PAG-30] [PAG-33] [PAG-34] starting, ready, not running, native, paused, error", async (stage) => {
  const { scene } = stage;
  const hold = held(scene);
  const session = await beginSession(scene);
  const page = await stage.open(session.path);
  await bandSays(
    page,
    new RegExp(
      String.raw`^\*\*Starting the agent\.\*\* ${IN_A_MOMENT} \|  \| Write to Demo$`,
    ),
  );
  await hold[Symbol.asyncDispose]();
  await bandSays(page, READY);

  await session.say("remember colour=teal");
  await session.isQuiet();
  await session.isCaptured(1);
  await session.killAgent();
  await bandSays(
    page,
    "**The agent is not running.** It can restore its own session and will remember its turn. | [Resume session] | Write to Demo",
  );
  assert.deepEqual(await axeFindings(page), []);
  const again = held(scene);
  await press(page, "Resume session");
  await bandSays(
    page,
    new RegExp(
      String.raw`^\*\*Bringing the agent back\.\*\* Demo restores its own session\. ${IN_A_MOMENT} \|  \| Write to Demo$`,
    ),
  );
  await again[Symbol.asyncDispose]();
  await bandSays(page, READY);
  await conversationSays(
    page,
    /The agent was killed by SIGKILL \w+ at \d\d:\d\d native It restored its own session in [\d.]+ m?s\. Verified, workspace unchanged\./,
  );

  await page.getByRole("button", { name: "Pause" }).click();
  await bandSays(
    page,
    "**Paused.** Nothing runs, everything is kept. A prompt brings the agent back. | Resume session | Write to Demo",
  );
  const broken = join(scene.house.directory, "broken");
  await writeFile(broken, "");
  await press(page, "Resume session");
  await bandSays(
    page,
    /^\*\*The agent could not be brought back\.\*\* .+ The workspace is open\. \| \[Try again\] · Open workspace \| Write to Demo$/,
  );
  assert.deepEqual(await axeFindings(page), []);
  const { last_seq } = await session.show();
  await box(page).fill("recall colour");
  await box(page).press("Enter");
  // The prompt begins a start of its own, which fails like the one before.
  await session.until(
    ({ type, data }) => type === "session.state_changed" && data.to === "ERROR",
    last_seq,
  );
  await bandSays(
    page,
    /\. 1 prompt waits; the workspace is open\. \| \[Try again\]/,
  );
  await rm(broken);
  await press(page, "Try again");
  await agentSays(page, "colour=teal");
  await bandSays(page, READY);
  // The answer to a resume that failed.
  stage.forgive(/409 \(Conflict\)/);
});

test("[PAG-30] [PAG-295] cut off, quota, ended, trash", async (stage) => {
  const { scene } = stage;
  const session = await beginSession(scene, { on_quota: "continue" });
  const page = await stage.open(session.path, { viewport: PHONE });
  const latch = scene.house.latch();
  await session.say(`write a.txt kept\nrun ${latch.wait}`);
  await page.getByRole("button", { name: "Cancel turn" }).waitFor();
  await session.until(({ type }) => type === "session.tool.updated");
  await session.killAgent();
  await bandSays(
    page,
    "**Turn 1 was cut off: the agent was killed by SIGKILL.** What it did is kept. Nothing is sent again by itself. | [Continue] · Resend · Drop | Write to Demo",
  );
  assert.deepEqual(await axeFindings(page), []);
  await press(page, "Drop");
  await bandSays(page, /^\*\*The agent is not running\.\*\*/);

  await session.say("quota 3600");
  await bandSays(
    page,
    /^\*\*Quota used up until (tomorrow at )?\d\d:\d\d\.\*\* Turn 2 goes on by itself then\. \| Go on now · Drop it \| Write to Demo$/,
  );
  await press(page, "Drop it");
  await bandSays(page, READY);

  await page.getByLabel("Mode").waitFor({ state: "attached" });
  await scene.client.endSession(session.id);
  await page.getByLabel("Mode").waitFor({ state: "detached" });
  await bandSays(
    page,
    new RegExp(
      String.raw`^\*\*Completed ${JUST_NOW}\.\*\* It can be read, and gone on from as a fork\. \| Fork from turn \d \| The session has ended\.$`,
    ),
  );
  await scene.client.deleteSession(session.id);
  await bandSays(
    page,
    /^\*\*In the trash until \d+ \w+\.\*\* \| \[Take it out\] \| It is in the trash\.$/,
  );
  assert.deepEqual(await axeFindings(page), []);
  await press(page, "Take it out");
  await bandSays(
    page,
    new RegExp(String.raw`^\*\*Completed ${JUST_NOW}\.\*\*`),
  );
});

test("[PAG-30] [PAG-214] a trouble and a full disk: the text is shown, the prompt stays in the box", async (stage) => {
  const session = await beginSession(stage.scene);
  await session.say("hello");
  await session.isQuiet();
  const page = await stage.open();
  // An agent counts as silent after ten minutes. Nobody waits for them here: the answer is changed on its way.
  const text = "The agent has said nothing since noon.";
  await page.route("**/api/sessions/*/status", async (route) => {
    const response = await route.fetch();
    const status = await response.json();
    const troubles = [{ code: "agent_silent", text }];
    await route.fulfill({ response, json: { ...status, troubles } });
  });
  await page.getByRole("link", { name: "A session" }).first().click();
  await bandSays(page, `${text} | Cancel turn | Write to Demo`);
  assert.deepEqual(await axeFindings(page), []);
  await page.unrouteAll({ behavior: "wait" });
  await page.reload();
  await bandSays(page, READY);

  // Disks that are really full are in test/disk; what the server answers then is the same.
  await page.route("**/api/sessions/*/prompts", (route) =>
    route.fulfill({
      status: 507,
      contentType: "application/problem+json",
      json: {
        type: "urn:reprise:problem:storage_full",
        status: 507,
        code: "storage_full",
        title: "Insufficient Storage",
        detail: "The disk is nearly full.",
      },
    }),
  );
  await box(page).fill("remember this");
  await box(page).press("Enter");
  await bandSays(
    page,
    "**The disk is full.** Your prompt was not taken; it is still in the box. | What takes the space | Write to Demo",
  );
  assert.equal(await box(page).inputValue(), "remember this");
  await page.unrouteAll();
  await box(page).press("Enter");
  await bandSays(page, READY);
  await session.isQuiet();
  assert.equal(await box(page).inputValue(), "");
  stage.forgive(/507/);
});
