/** A question of an agent in two tabs, over a restart of the server and over the death of the agent. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { axeFindings } from "./fixtures/axe.ts";
import { pageTests } from "./fixtures/page-test.ts";
import {
  bandSays,
  beginSession,
  box,
  findServer,
  GONE,
  oneLine,
  permission,
  startAgain,
} from "./fixtures/session-test.ts";

const test = pageTests();

const closed = (page: Page) =>
  page.getByRole("region", { name: "Closed question" });

test("[PAG-213] a question in two tabs outlives the server, and is answered once", async (stage) => {
  const { scene } = stage;
  const session = await beginSession(scene);
  const { url } = scene.server;
  const one = await stage.open(session.path);
  const other = await one.context().newPage();
  await other.goto(`${url}${session.path}`);
  await session.say("ask may I go on");
  for (const tab of [one, other]) await permission(tab).waitFor();

  await scene.server.kill();
  await one.getByRole("status").filter({ hasText: "is away" }).waitFor();
  await startAgain(scene, url);
  // A page that is opened now, and those that waited, have the same question.
  const late = await one.context().newPage();
  await late.goto(`${url}${session.path}`);
  await permission(late).waitFor();
  for (const tab of [one, other]) {
    await findServer(tab);
    await tab.getByText("Connected").first().waitFor();
  }
  for (const tab of [one, other, late])
    assert.match(
      oneLine(await permission(tab).innerText()),
      /^Demo asks for your permission may I go on Allow/,
    );
  await one.bringToFront();
  await permission(one)
    .getByRole("button", { name: /^Allow/ })
    .click();
  await permission(one).waitFor({ state: "detached" });
  for (const tab of [other, late]) {
    await permission(tab).waitFor({ state: "detached" });
    assert.equal(
      oneLine(await closed(tab).innerText()),
      "Demo asks for your permission. Answered elsewhere: Allow.",
    );
  }
  assert.equal(await closed(one).count(), 0);
  assert.deepEqual(await axeFindings(other), []);
  await closed(other).getByRole("button", { name: "Close" }).click();
  await closed(other).waitFor({ state: "detached" });
  await session.isQuiet();
  const events = await session.until(
    ({ type }) => type === "session.turn.ended",
  );
  assert.equal(
    events.filter(({ type }) => type === "session.permission.answered").length,
    1,
  );
  stage.forgive(GONE);
});

test("[PAG-213] [PAG-30] a question whose agent was killed is closed with its reason, and what is typed answers nothing", async (stage) => {
  const session = await beginSession(stage.scene);
  const page = await stage.open(session.path);
  await box(page).focus();
  await session.say("ask may I go on");
  await permission(page).waitFor();
  await page.keyboard.type("1 yes");
  assert.equal(await box(page).inputValue(), "1 yes");
  await session.killAgent();
  await closed(page).waitFor();
  assert.equal(
    oneLine(await closed(page).innerText()),
    "Demo asks for your permission. Closed: the agent died.",
  );
  await bandSays(
    page,
    "**Turn 1 was cut off: the agent was killed by SIGKILL.** What it did is kept. Nothing is sent again by itself. | [Continue] · Resend · Drop | Write to Demo",
  );
  const answered = (await session.show()).pending_permissions;
  assert.deepEqual(answered, []);
  // Resent: one more prompt with the same words, and only one.
  await page.getByRole("button", { name: "Resend" }).dblclick();
  await permission(page).waitFor();
  await closed(page).waitFor({ state: "detached" });
  await page.getByRole("button", { name: /^Reject/ }).click();
  await session.isQuiet();
  const all = await session.until(({ type }) => type === "session.turn.ended");
  const count = (wanted: string) =>
    all.filter(({ type }) => type === wanted).length;
  assert.equal(count("session.prompt.resolved"), 1);
  assert.equal(count("session.turn.started"), 2);
  assert.equal(await box(page).inputValue(), "1 yes");
});
