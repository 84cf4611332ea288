/** What stands round every screen. */
import assert from "node:assert/strict";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { pageTests, PHONE } from "./fixtures/page-test.ts";

const test = pageTests();

test("[PAG-4] [PAG-5] hostile text in the first view is text: nothing runs, and nothing is refused", async (stage) => {
  const name = `</script><script>window.hacked=1</script><img src=x onerror=window.hacked=2>`;
  const { id } = await stage.scene.client.createSession({
    agent: "demo",
    name,
    cwd: stage.scene.workspace,
  });
  const page = await stage.open();
  await page.getByRole("link", { name }).first().waitFor();
  assert.equal(await page.evaluate(() => "hacked" in globalThis), false);
  await page.goto(`${stage.scene.server.url}/s/${id}`);
  await page.getByRole("link", { name }).first().waitFor();
  assert.equal(await page.evaluate(() => "hacked" in globalThis), false);
});

test("[PAG-5] the policy refuses scripts in the document and from elsewhere", async (stage) => {
  const page = await stage.open();
  const ran = await page.evaluate(async () => {
    const inline = document.createElement("script");
    inline.textContent = "window.ran = true";
    document.body.append(inline);
    const foreign = document.createElement("script");
    foreign.src = "http://127.0.0.1:9/x.js";
    const refused = new Promise((done) =>
      foreign.addEventListener("error", done),
    );
    document.body.append(foreign);
    await refused;
    return "ran" in globalThis;
  });
  assert.equal(ran, false);
  stage.forgive(/policy|Content Security Policy|violates/i);
});

test("[PAG-15] the first stop of the keyboard skips to the content", async (stage) => {
  const page = await stage.open();
  // The screen comes after the frame; before it is there, nothing in it can be reached.
  const content = page.getByRole("main");
  await content
    .getByRole("button")
    .or(content.getByRole("link"))
    .or(content.getByRole("textbox"))
    .first()
    .waitFor();
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to the content" });
  assert.equal(
    await skip.evaluate((it) => it === document.activeElement),
    true,
  );
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  assert.equal(
    await page.evaluate(() => document.activeElement?.closest("main") !== null),
    true,
  );
});

test("[PAG-15] the list of sessions follows the home, grouped by directory", async (stage) => {
  const page = await stage.open();
  await stage.scene.client.createSession({
    agent: "demo",
    name: "Made meanwhile",
    cwd: stage.scene.workspace,
  });
  const nav = page.getByRole("navigation", { name: "Main" });
  const group = nav.getByRole("region", { name: stage.scene.workspace });
  await group.getByRole("link", { name: "Made meanwhile" }).click();
  await page.waitForURL(/\/s\/ses_/);
  await eventually(
    () => group.getByRole("link").first().getAttribute("aria-current"),
    (current) => current === "page",
  );
});

test("[PAG-15] on a phone the places are at the bottom, and nothing is wider than the screen", async (stage) => {
  const page = await stage.open("/", { viewport: PHONE });
  const bar = page.getByRole("navigation", { name: "Places" });
  await bar.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  assert.equal(
    await page.getByRole("navigation", { name: "Main" }).isVisible(),
    false,
  );
  const wide = await page.evaluate(
    () => document.documentElement.scrollWidth - window.innerWidth,
  );
  assert.ok(wide <= 0);
});

test("[PAG-14] the chosen colours are there before anything is drawn", async (stage) => {
  const page = await stage.open("/settings", { colorScheme: "light" });
  await page.getByRole("radio", { name: "Dark" }).check();
  const paper = () =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await paper(), "rgb(20, 21, 20)");
  const answer = await page.reload();
  assert.match(
    (await answer?.text()) ?? "",
    /<html lang="en" data-theme="dark">/,
  );
  assert.equal(await paper(), "rgb(20, 21, 20)");
  await page.getByRole("radio", { name: "As the system" }).check();
  assert.equal(await paper(), "rgb(251, 251, 250)");
});
