/** The page without a mouse, at a zoom of 200 %, and above a phone's keyboard. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { finder, finderHasFocus, isChosen } from "./fixtures/finder.ts";
import { pageTests, PHONE } from "./fixtures/page-test.ts";

const test = pageTests();

/** Presses Tab until what has the focus has this name. */
const tabTo = async (page: Page, name: RegExp): Promise<void> => {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    const text = await page.evaluate(
      () => document.activeElement?.textContent ?? "",
    );
    if (name.test(text)) return;
  }
  assert.fail(`Tab does not come to ${String(name)}`);
};

const isAt = (page: Page, path: RegExp) =>
  page.waitForURL((url) => path.test(url.pathname + url.search));

test("[PAG-199] from the first run to a rewind with the keyboard alone", async (stage) => {
  const page = await stage.open("/");
  await page.getByRole("button", { name: /Run it/ }).waitFor();
  await tabTo(page, /Run it/);
  await page.keyboard.press("Enter");
  await isAt(page, /^\/s\/ses_\w+$/);
  const id = new URL(page.url()).pathname.slice(3);
  await page.getByRole("textbox", { name: "Prompt" }).waitFor();
  await eventually(
    () => stage.scene.client.showSession(id),
    ({ state, queued_prompts }) =>
      state === "WAITING_FOR_INPUT" && queued_prompts.length === 0,
  );
  await page.keyboard.press("i");
  await page.keyboard.type("write notes.txt hello");
  await page.keyboard.press("Enter");
  await page.keyboard.type("ask may I go on");
  // What was sent leaves the box; what was typed behind it meanwhile does not.
  await eventually(
    () => page.getByRole("textbox", { name: "Prompt" }).inputValue(),
    (text) => text === "ask may I go on",
  );
  await page.keyboard.press("Enter");
  const card = page.getByRole("region", { name: "Permission" });
  await card.waitFor();
  await page.waitForFunction(
    () => document.querySelectorAll("button[aria-disabled=true]").length === 0,
  );
  await page.keyboard.press("Escape");
  await page.keyboard.press("p");
  await page.keyboard.press("1");
  await card.waitFor({ state: "detached" });
  await eventually(
    () => stage.scene.client.showSession(id),
    ({ state }) => state === "WAITING_FOR_INPUT",
  );
  await page.keyboard.press("Escape");
  await page.keyboard.press("d");
  await isAt(page, /\/changes\?to=\d+$/);
  await page.keyboard.press("w");
  await isAt(page, /\/rewind\/\d+$/);
  await page.keyboard.press("Control+k");
  await finderHasFocus(page);
  await page.keyboard.type("conversation");
  await isChosen(page, /^Conversation/);
  await page.keyboard.press("Enter");
  await isAt(page, /^\/s\/ses_\w+$/);
});

test("[PAG-200] [PAG-201] [PAG-198] at 200 % nothing scrolls sideways, the mode can be changed, and the box stays above a keyboard", async (stage) => {
  const { client, workspace } = stage.scene;
  const { id } = await client.createSession({
    agent: "demo",
    name: "A session with quite a long name that does not fit into one line",
    cwd: workspace,
  });
  await client.queuePrompt(id, { text: "write a.txt hello" });
  // 1280 by 800 at a zoom of 200 %.
  const page = await stage.open(`/s/${id}`, {
    viewport: { width: 640, height: 400 },
    deviceScaleFactor: 2,
  });
  const fits = async () =>
    assert.equal(
      await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      }),
      0,
    );
  const box = page.getByRole("textbox", { name: "Prompt" });
  await page.getByText(/^Completed in/).waitFor();
  await fits();
  assert.ok(await box.isVisible());
  await box.focus();
  await page.keyboard.press("Control+k");
  await finderHasFocus(page);
  await fits();
  await page.keyboard.press("Escape");
  await finder(page).waitFor({ state: "detached" });
  await box.focus();
  const mode = page.getByRole("combobox", { name: "Mode" });
  await mode.waitFor();
  const [, other = ""] = await mode
    .locator("option")
    .evaluateAll((all) => all.map((each) => each.getAttribute("value") ?? ""));
  await mode.selectOption(other);
  await eventually(
    () => mode.inputValue(),
    (now) => now === other,
  );
  await eventually(
    () => client.showSession(id),
    ({ offered }) => offered?.modes?.current === other,
  );
  await page.setViewportSize(PHONE);
  await box.focus();
  // A keyboard that lies over the page, as an iPhone's does.
  await page.evaluate(() => {
    const seen = globalThis.visualViewport;
    if (seen === null) return;
    Object.defineProperty(seen, "height", { get: () => 480 });
    seen.dispatchEvent(new Event("resize"));
  });
  await eventually(
    async () => (await box.boundingBox()) ?? { y: 9_999, height: 0 },
    ({ y, height }) => y + height <= 480,
  );
  await page.goto(`${stage.scene.server.url}/`);
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await fits();
});
