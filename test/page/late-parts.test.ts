/** Parts of the page whose code does not come: their places say so, and it is loaded again when somebody asks. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { pageTests } from "./fixtures/page-test.ts";
import {
  beginSession,
  box,
  conversationSays,
} from "./fixtures/session-test.ts";

const test = pageTests();

/** What a browser says of files that do not come. */
const LOST = /ERR_FAILED|Failed to load resource|dynamically imported module/;

/** Files with this name do not come until the function is called. */
const lose = async (page: Page, name: string): Promise<() => Promise<void>> => {
  const files = `**/assets/${name}`;
  await page.route(files, (route) => route.abort());
  return () => page.unroute(files);
};

const missing = (page: Page, name: string) =>
  page.getByRole("alert").filter({ hasText: `${name} could not be loaded.` });

const loadAgain = (page: Page) =>
  page.getByRole("button", { name: "Load again" });

test("[PAG-361] a screen and a row whose code does not come say so, and nothing that was typed is lost", async (stage) => {
  const session = await beginSession(stage.scene);
  const page = await stage.open(session.path);
  await box(page).fill("not sent yet");
  const findList = await lose(page, "attachment-list-*.js");
  await page.locator("input[type=file]").setInputFiles({
    name: "notes.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("some notes"),
  });
  await missing(page, "The list of attachments").waitFor();
  assert.equal(await box(page).inputValue(), "not sent yet");
  await findList();
  await loadAgain(page).click();
  await page.getByRole("list", { name: "Attachments" }).waitFor();

  const findSettings = await lose(page, "settings-*.js");
  const nav = page.getByRole("navigation", { name: "Main" });
  await nav.getByRole("link", { name: "Settings" }).click();
  await missing(page, "This screen").waitFor();
  await nav.getByText("Connected").waitFor();
  await findSettings();
  await loadAgain(page).click();
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  stage.forgive(LOST);
});

test("[PAG-362] what is attached is held while what keeps it does not come, and what was attached before is told as missing", async (stage) => {
  const session = await beginSession(stage.scene);
  const page = await stage.open(session.path);
  const attached = page.getByRole("list", { name: "Attachments" });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.reload();
  await box(page).waitFor();
  await page.waitForLoadState("networkidle");
  assert.deepEqual(
    asked.filter((url) => /open-kept-/.test(url)),
    [],
  );
  await page.locator("input[type=file]").setInputFiles({
    name: "notes.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("some notes"),
  });
  await attached.waitFor();
  await page.waitForLoadState("networkidle");

  const find = await lose(page, "open-kept-*.js");
  await page.reload();
  await missing(page, "What was attached before").waitFor();
  await box(page).fill("still here");
  await find();
  await loadAgain(page).click();
  await attached.getByText("notes.txt").waitFor();
  assert.equal(await box(page).inputValue(), "still here");
  stage.forgive(LOST);
});

test("[PAG-370] commands, keys and the menu say over the page what could not be loaded; a style sheet counts as code", async (stage) => {
  const session = await beginSession(stage.scene);
  const page = await stage.open(session.path);
  await box(page).waitFor();
  const findStyle = await lose(page, "palette-*.css");
  await page
    .getByRole("button", { name: "Search and commands" })
    .first()
    .click();
  const palette = page.getByRole("dialog", { name: "Search and commands" });
  await missing(page, "Search and commands").waitFor();
  assert.equal(await palette.count(), 0);
  // Put away, it is asked for again by the next press; and it is not shown without its style then either.
  await page.getByRole("button", { name: "Close" }).click();
  await missing(page, "Search and commands").waitFor({ state: "detached" });
  await page
    .getByRole("button", { name: "Search and commands" })
    .first()
    .click();
  await missing(page, "Search and commands").waitFor();
  await findStyle();
  await loadAgain(page).click();
  await palette.waitFor();
  const styles = await page.evaluate(
    () =>
      [...document.styleSheets].filter(({ href }) =>
        /palette-/.test(href ?? ""),
      ).length,
  );
  assert.equal(styles, 1);
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "detached" });

  const findMenu = await lose(page, "session-menu-*.js");
  await page.getByRole("button", { name: "More" }).click();
  await missing(page, "The menu").waitFor();
  await findMenu();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Export" }).waitFor();
  await page.keyboard.press("Escape");

  const findKeys = await lose(page, "keys-help-*.js");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("?");
  await missing(page, "The list of keys").waitFor();
  await findKeys();
  await loadAgain(page).click();
  await page.getByRole("dialog", { name: "All keys" }).waitFor();
  stage.forgive(LOST);
});

test("[PAG-371] [PAG-372] the card of a turn and the changes say what could not be loaded, and load it again", async (stage) => {
  const session = await beginSession(stage.scene);
  await session.say("write a.txt hello");
  await session.isQuiet();
  const page = await stage.open("/settings");
  const findCard = await lose(page, "knot-card-*.js");
  const findReader = await lose(page, "diff.worker-*.js");
  await page.goto(`${stage.scene.server.url}${session.path}`);
  await conversationSays(page, /a\.txt/);
  const line = page.getByRole("complementary");
  await line.getByRole("button", { name: /^Turn 1,/ }).hover();
  const card = missing(page, "The card of this turn");
  await card.waitFor();
  const { ground, border } = await card.evaluate((element) => {
    const { backgroundColor, borderTopWidth } = getComputedStyle(element);
    return { ground: backgroundColor, border: borderTopWidth };
  });
  assert.notEqual(ground, "rgba(0, 0, 0, 0)");
  assert.equal(border, "1px");
  await findCard();
  await card.getByRole("button", { name: "Load again" }).click();
  await page
    .getByRole("group", { name: "Turn 1", exact: true })
    .first()
    .waitFor();

  await page.getByRole("link", { name: "Changes", exact: true }).click();
  await page.getByLabel("Which changes").waitFor();
  const reader = missing(page, "The code that reads diffs");
  await reader.waitFor();
  await findReader();
  await loadAgain(page).click();
  await page
    .getByRole("region", { name: "Diffs" })
    .getByText("hello")
    .first()
    .waitFor();
  stage.forgive(LOST);
});
