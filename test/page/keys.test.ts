/** The keyboard, the palette, and what is written in the prompt box. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { axeFindings } from "./fixtures/axe.ts";
import { findsNothing } from "./fixtures/every-look.ts";
import { finder, finderHasFocus, isChosen } from "./fixtures/finder.ts";
import { keepsDrafts } from "./fixtures/keeps-drafts.ts";
import { pageTests, PHONE } from "./fixtures/page-test.ts";
import { beginQuiet } from "./fixtures/quiet-session.ts";

const test = pageTests();

const box = (page: Page) => page.getByRole("textbox", { name: "Prompt" });
const option = (page: Page, name: string | RegExp) =>
  page.getByRole("option", { name });
const pathIs = (page: Page, path: string | RegExp) =>
  page.waitForURL((url) =>
    typeof path === "string"
      ? url.pathname === path
      : path.test(url.pathname + url.search),
  );

test("[PAG-190] [PAG-191] [PAG-193] the palette finds commands, sessions, turns and files, and the focus returns", async (stage) => {
  const other = await beginQuiet(stage, "Retry storms elsewhere");
  const session = await beginQuiet(stage);
  mkdirSync(join(stage.scene.workspace, "src"));
  writeFileSync(join(stage.scene.workspace, "src/uploader.ts"), "x\n");
  await session.say("remember colour=teal");
  const page = await stage.open();
  // The line comes when the palette is open already.
  const isOpen = Promise.withResolvers<void>();
  await page.route(`**/api/sessions/${session.id}/line*`, async (route) => {
    await isOpen.promise;
    await route.continue();
  });
  await page.goto(`${stage.scene.server.url}/s/${session.id}`);
  await page.getByRole("heading", { name: "Turn 1" }).waitFor();
  assert.deepEqual(
    await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .filter(({ name }) => /palette|keys-help/.test(name)),
    ),
    [],
  );
  await box(page).focus();
  await page.keyboard.press("Control+k");
  await finderHasFocus(page);
  assert.deepEqual(await axeFindings(page), []);
  await page.keyboard.type("uplo");
  await option(page, "src/uploader.ts").waitFor();
  isOpen.resolve();
  await finder(page).fill("colour");
  await isChosen(page, /remember colour=teal/);
  await page.keyboard.press("Tab");
  await option(page, "Fork from here").waitFor();
  await page.keyboard.press("Escape");
  await finder(page).waitFor({ state: "detached" });
  await eventually(
    () => box(page).evaluate((it) => it === document.activeElement),
    (has) => has,
  );
  await page.getByRole("button", { name: "Search and commands" }).click();
  await finder(page).fill("retry storms");
  await isChosen(page, /Retry storms elsewhere/);
  await page.keyboard.press("Enter");
  await pathIs(page, `/s/${other.id}`);
  await finder(page).waitFor({ state: "detached" });
  // Where nothing is written, keys are commands; the help names them.
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "All keys" });
  await help.getByText("Review changes").waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await page.keyboard.press("c");
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  await pathIs(page, `/s/${other.id}`);
  // The second key is waited for a second and a half, which may pass here.
  await eventually(
    async () => {
      await page.keyboard.press("g");
      await page.keyboard.press("h");
      return new URL(page.url()).pathname;
    },
    (path) => path === "/",
  );
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("c?");
  const search = page.getByRole("searchbox", { name: "Search sessions" });
  assert.equal(await search.inputValue(), "c?");
  await search.press("Escape");
  await page.keyboard.press("c");
  await pathIs(page, "/new");
});

test("[PAG-234] [PAG-235] on a phone a button opens the commands, and they follow what can be done", async (stage) => {
  const session = await beginQuiet(stage);
  await session.say("remember colour=teal");
  await session.isQuiet();
  const page = await stage.open("/", { viewport: PHONE, hasTouch: true });
  await page.getByRole("button", { name: "Search" }).tap();
  await finder(page).waitFor();
  await page.keyboard.press("Escape");
  await page.goto(`${stage.scene.server.url}/s/${session.id}`);
  await page.getByRole("heading", { name: "Turn 1" }).waitFor();
  await page.getByRole("button", { name: "Search" }).tap();
  await finderHasFocus(page);
  await page.keyboard.type("pause");
  const pause = option(page, /^Pause/);
  await pause.first().waitFor();
  await stage.scene.client.pauseSession(session.id);
  await pause.first().waitFor({ state: "detached" });
});

test("[PAG-301] keys mean the turn whose card is open, and the newest one else", async (stage) => {
  const session = await beginQuiet(stage);
  for (const name of ["one", "two", "three"])
    await session.say(`write ${name}.txt x`);
  const page = await stage.open(`/s/${session.id}`);
  const line = page.getByRole("complementary", {
    name: "The line of this session",
  });
  const card = page.getByRole("group", { name: "Turn 1" });
  /** The conversation with the card of turn 1, by the pointer. */
  const lookAtFirst = async () => {
    await page.goto(`${stage.scene.server.url}/s/${session.id}`);
    // The whole line: what comes before a turn moves its row away from the pointer.
    await line
      .getByText(/^Started,/)
      .first()
      .waitFor();
    await line.getByRole("button", { name: /^Turn 1,/ }).hover();
    await card.getByText("Turn 1", { exact: true }).waitFor();
  };
  await page.getByRole("heading", { name: "Turn 3" }).waitFor();
  await page.keyboard.press("d");
  await pathIs(page, /changes\?to=3$/);
  await lookAtFirst();
  await page.keyboard.press("d");
  await pathIs(page, /changes\?to=1$/);
  await lookAtFirst();
  await page.keyboard.press("w");
  await pathIs(page, `/s/${session.id}/rewind/1`);
  await lookAtFirst();
  await page.keyboard.press("f");
  await page.waitForURL(
    (url) =>
      url.pathname.startsWith("/s/ses_") && !url.pathname.includes(session.id),
  );
  const fork = new URL(page.url()).pathname.replace("/s/", "");
  const { parent } = await stage.scene.client.showSession(fork);
  assert.deepEqual(parent, { session_id: session.id, turn: 1 });
});

test("[PAG-301] what cannot be done with the turn of an open card is not done with another", async (stage) => {
  const session = await beginQuiet(stage);
  await session.say("write one.txt x");
  const page = await stage.open(`/s/${session.id}`);
  await page.getByRole("heading", { name: "Turn 1" }).waitFor();
  const latch = stage.scene.house.latch();
  await stage.scene.client.queuePrompt(session.id, {
    text: `run ${latch.wait}`,
  });
  const line = page.getByRole("complementary", {
    name: "The line of this session",
  });
  await line.getByRole("button", { name: /^Turn 2, running/ }).hover();
  const card = page.getByRole("group", { name: "Turn 2" });
  await card.getByText("Turn 2 is not over.").waitFor();
  for (const key of ["d", "w", "f"]) await page.keyboard.press(key);
  await page.keyboard.press("l");
  await line.getByRole("button", { name: "Unfold the line" }).waitFor();
  await pathIs(page, `/s/${session.id}`);
  latch.open();
  await session.isQuiet();
});

test("[PAG-194] [PAG-195] @ offers files, and a taken one is sent as a link", async (stage) => {
  const session = await beginQuiet(stage);
  mkdirSync(join(stage.scene.workspace, "src"));
  for (const name of ["app.ts", "apple.ts"])
    writeFileSync(join(stage.scene.workspace, "src", name), "x\n");
  await session.say("remember colour=teal");
  await stage.scene.client.pauseSession(session.id);
  const page = await stage.open(`/s/${session.id}`);
  await box(page).focus();
  await page.keyboard.type("look at @app");
  const first = option(page, /app\.ts/);
  await first.waitFor();
  await findsNothing(page, "files at @");
  assert.equal(
    await box(page).getAttribute("aria-activedescendant"),
    await first.getAttribute("id"),
  );
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  assert.equal(await box(page).inputValue(), "look at @src/app.ts ");
  await page.keyboard.type("please");
  await page.keyboard.press("Enter");
  await page
    .getByText(/resource_link file:.*src\/app\.ts/)
    .first()
    .waitFor();
  await session.isQuiet();
});

test("[PAG-196] attachments are there after a reload, and gone when they were sent", async (stage) => {
  const session = await beginQuiet(stage);
  const page = await stage.open(`/s/${session.id}`);
  const attached = page.getByRole("list", { name: "Attachments" });
  await page.locator("input[type=file]").setInputFiles({
    name: "notes.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("remember colour=teal"),
  });
  await attached.getByText("notes.txt").waitFor();
  await box(page).fill("read this");
  await keepsDrafts(page, 1);
  await page.reload();
  await attached.getByText("notes.txt").waitFor();
  assert.equal(await box(page).inputValue(), "read this");
  await box(page).press("Enter");
  await attached.waitFor({ state: "detached" });
  await session.isQuiet();
  await keepsDrafts(page, 0);
  await page.reload();
  await box(page).waitFor();
  assert.equal(await attached.count(), 0);
  assert.equal(await box(page).inputValue(), "");
});
