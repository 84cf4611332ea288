/** Where sessions begin and end, and what stands beside them: new, agents, trash, settings. */
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { axeFindings } from "./fixtures/axe.ts";
import { keepsDrafts } from "./fixtures/keeps-drafts.ts";
import { pageTests, PHONE, type Stage } from "./fixtures/page-test.ts";

const test = pageTests();

const screens = [
  ["/new", "New session"],
  ["/agents", "Agents"],
  ["/trash", "Trash"],
  ["/settings", "Settings"],
] as const;

for (const [what, options] of [
  ["on a desk", {}],
  ["on a phone", { viewport: PHONE, hasTouch: true }],
] as const)
  test(`[PAG-174] links lead to agents, the trash and settings ${what}`, async (stage) => {
    const { client, workspace } = stage.scene;
    await client.deleteSession(await ended(stage, "Thrown away"));
    await client.createSession({
      agent: "demo",
      prompt: "remember a=b",
      cwd: workspace,
    });
    const page = await stage.open("/settings", options);
    for (const [address, title] of screens) {
      if (address !== "/settings" && address !== "/new")
        await page.getByRole("link", { name: title }).first().click();
      else await page.goto(`${stage.scene.server.url}${address}`);
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      await settled(page, address);
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - window.innerWidth,
      );
      assert.ok(wide <= 0, address);
      if (what === "on a phone")
        await page.goto(`${stage.scene.server.url}/settings`);
    }
  });

/** A session that can be deleted at once. */
const ended = async ({ scene }: Stage, name: string): Promise<string> => {
  const { id } = await scene.client.createSession({
    agent: "demo",
    name,
    cwd: scene.workspace,
  });
  await scene.client.endSession(id);
  return id;
};

/** What the screen reads is there. */
const settled = async (page: Page, address: string): Promise<void> => {
  if (address === "/new")
    await page.getByRole("radio", { name: /^Demo/ }).waitFor();
  if (address === "/agents") {
    await page.getByText("Memory is that of an agent").waitFor();
    await page.getByText("does not remember").first().waitFor();
  }
  if (address === "/trash")
    await page.getByText("In the trash until").first().waitFor();
  if (address === "/settings")
    await page.getByText("Checkpoints in all").waitFor();
};

test("[PAG-160] [PAG-161] [PAG-163] a session is started by keyboard alone, once, and its draft outlives the page", async (stage) => {
  const { url } = stage.scene.server;
  const page = await stage.open("/new?agent=demo");
  await page.getByRole("radio", { name: /^Demo/ }).waitFor();
  await page.keyboard.type("remember colour=teal");
  await page.keyboard.press("Shift+Enter");
  await page.getByLabel("Where").fill(stage.scene.workspace);
  await page.reload();
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  assert.equal(await prompt.inputValue(), "remember colour=teal\n");
  assert.equal(
    await page.getByLabel("Where").inputValue(),
    stage.scene.workspace,
  );
  // The answer is lost on its way: the server has started the session.
  const keys: (string | null)[] = [];
  await page.route("**/api/sessions", async (route) => {
    const request = route.request();
    if (request.method() !== "POST") return route.continue();
    keys.push(await request.headerValue("idempotency-key"));
    if (keys.length > 1) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("radio", { name: /^Demo/ }).waitFor();
  await prompt.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  await prompt.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/s\/ses_/);
  assert.equal(new Set(keys).size, 1);
  const { sessions } = await stage.scene.client.listSessions({
    cwd: stage.scene.workspace,
  });
  assert.equal(sessions.length, 1);
  await page.getByText("I will remember colour").first().waitFor();
  await page.goto(`${url}/new`);
  assert.equal(await prompt.inputValue(), "");
  assert.equal(
    await page.getByLabel("Where").inputValue(),
    stage.scene.workspace,
  );
  stage.forgive(/ERR_FAILED/);
});

test("[PAG-237] a file is attached to the first prompt, kept over a reload and sent", async (stage) => {
  const page = await stage.open("/new?agent=demo");
  await page.getByRole("radio", { name: /^Demo/ }).waitFor();
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach" }).click();
  await (
    await chosen
  ).setFiles({
    name: "notes.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("to be read"),
  });
  const attached = page.getByRole("list", { name: "Attachments" });
  await attached.getByText("notes.txt").waitFor();
  await keepsDrafts(page, 1);
  assert.deepEqual(await axeFindings(page), []);
  await page.reload();
  await attached.getByText("notes.txt").waitFor();
  await page.getByRole("radio", { name: /^Demo/ }).waitFor();
  await page.getByRole("textbox", { name: "Prompt" }).fill("See this.");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/\/s\/ses_/);
  await page
    .getByText(/You said: See this\./)
    .first()
    .waitFor();
  await page.getByText("to be read").first().waitFor();
  await page.goto(`${stage.scene.server.url}/new`);
  await page.getByRole("radio", { name: /^Demo/ }).waitFor();
  assert.equal(await attached.count(), 0);
});

test("[PAG-230] [API-190] a directory is found by the beginnings of its names, by keyboard alone", async (stage) => {
  const { workspace } = stage.scene;
  await mkdir(join(workspace, "projects/atlas"), { recursive: true });
  await mkdir(join(workspace, "projects/.hidden"));
  const page = await stage.open("/new?agent=demo");
  const where = page.getByRole("combobox", { name: "Where" });
  await where.fill(`${workspace}/pro`);
  const offers = page.getByRole("listbox", { name: "Directories" });
  await offers.getByRole("option").first().waitFor();
  assert.equal(await where.getAttribute("aria-expanded"), "true");
  await page.keyboard.press("ArrowDown");
  const chosen = await where.getAttribute("aria-activedescendant");
  assert.equal(
    await page.locator(`[id="${chosen}"]`).innerText(),
    `${workspace}/projects/`,
  );
  await page.keyboard.press("Enter");
  assert.equal(await where.inputValue(), `${workspace}/projects/`);
  await page.getByRole("option", { name: /atlas/ }).waitFor();
  assert.equal(await offers.getByRole("option").count(), 1);
  await page.keyboard.press("ArrowDown");
  assert.deepEqual(await axeFindings(page), []);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await offers.waitFor({ state: "hidden" });
  assert.equal(await where.inputValue(), `${workspace}/projects/atlas/`);
  await where.fill(`${workspace}/gone/x`);
  await page.getByText("There is nothing at this path.").waitFor();
  await page.getByRole("button", { name: "Start empty" }).click();
  await page.getByRole("alert").waitFor();
  await where.fill(`${workspace}/projects/atlas/`);
  await page.getByRole("radio", { name: "The directory itself" }).check();
  await page.getByRole("button", { name: "Start empty" }).click();
  await page.waitForURL(/\/s\/ses_/);
  const { sessions } = await stage.scene.client.listSessions({
    cwd: join(workspace, "projects/atlas"),
  });
  assert.equal(sessions.length, 1);
  stage.forgive(/404|400|422/);
});

test("[PAG-162] [PAG-164] [PAG-165] agents that are missing show what helps; refusals stand in place and lose nothing", async (stage) => {
  const page = await stage.open("/new?agent=demo");
  await page.getByRole("radio", { name: /^Demo/ }).waitFor();
  const missing = page.getByRole("radio", { name: /not installed/ }).first();
  assert.equal(await missing.isDisabled(), true);
  const where = page.getByLabel("Where");
  await page.getByRole("textbox", { name: "Prompt" }).fill("remember a=b");
  await where.fill("somewhere");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByText("Give the whole path").waitFor();
  await where.fill(stage.scene.workspace);
  await page.getByRole("radio", { name: "A worktree of its own" }).check();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page
    .getByRole("button", { name: "Work in the directory itself" })
    .click();
  await page.getByRole("button", { name: /Waits for you when/ }).click();
  await page.getByLabel("When a turn is cut off").selectOption({ index: 1 });
  await page.getByRole("button", { name: /Goes on by itself/ }).waitFor();
  await page.getByLabel("Name", { exact: true }).fill("From the page");
  await page.getByRole("button", { name: "Start empty" }).click();
  await page.waitForURL(/\/s\/ses_/);
  const { sessions } = await stage.scene.client.listSessions({
    cwd: stage.scene.workspace,
  });
  assert.deepEqual(
    sessions.map(({ name, on_interrupt, turn_count }) => [
      name,
      on_interrupt,
      turn_count,
    ]),
    [["From the page", "continue", 0]],
  );
  stage.forgive(/422/);
});

test("[PAG-166] [PAG-167] agents and what runs, with whose memory it is", async (stage) => {
  await stage.scene.client.createSession({
    agent: "demo",
    name: "It runs",
    prompt: "remember a=b",
    cwd: stage.scene.workspace,
  });
  const page = await stage.open("/agents");
  const row = page.getByRole("row", { name: /It runs/ });
  await eventually(
    async () => {
      await page.getByRole("button", { name: "Look again" }).click();
      // While its agent starts, nothing may be listed yet.
      return (await row.allInnerTexts()).join();
    },
    (text) => /Ready[\s\S]*standalone[\s\S]*\d MB in \d+ process/.test(text),
  );
  await page.getByRole("link", { name: "Start" }).first().click();
  await page.getByRole("heading", { name: "New session" }).waitFor();
});

test("[PAG-170] [PAG-171] settings say where they stand, and what takes the space", async (stage) => {
  const page = await stage.open("/settings");
  await page.getByText(`${stage.scene.house.home}/config.json`).waitFor();
  await page.getByText("Checkpoints in all").waitFor();
  await page.getByRole("button", { name: "Free what nothing needs" }).click();
  await page.getByText(/freed\.$/).waitFor();
});

test("[PAG-311] a draft is called that, and found again by whatever way one leaves", async (stage) => {
  const { url } = stage.scene.server;
  const { id } = await stage.scene.client.createSession({
    agent: "demo",
    name: "With a draft",
    cwd: stage.scene.workspace,
  });
  const page = await stage.open("/new?agent=demo");
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  const sidebar = page.getByRole("navigation", { name: "Main" });
  await prompt.fill("not sent yet");
  await page.getByText("Saved as a draft in this browser").waitFor();
  await sidebar.locator(`a[href="/s/${id}"]`).click();
  await page.waitForURL(`${url}/s/${id}`);
  await prompt.fill("neither this");
  await page.goBack();
  await page.getByText("Your draft from before, saved").waitFor();
  assert.equal(await prompt.inputValue(), "not sent yet");
  await page.goForward();
  await page
    .getByText("Your draft from before. It is kept in this browser.")
    .waitFor();
  assert.equal(await prompt.inputValue(), "neither this");
  await page.reload();
  await page.getByText("Your draft from before.").waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await prompt.press("End");
  await prompt.pressSequentially("!");
  assert.equal(await page.getByText("Your draft from before.").count(), 0);
});

test("[PAG-311] where the browser keeps nothing, the page says so and is not closed without a question", async (stage) => {
  const context = await stage.browser();
  await context.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("no room", "QuotaExceededError");
    };
  });
  const page = await context.newPage();
  await page.goto(stage.link("/new?agent=demo"));
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  await prompt.pressSequentially("not sent yet");
  await page.getByText("This browser keeps no drafts").waitFor();
  await page.getByRole("link", { name: "Home" }).first().click();
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await page.goBack();
  await page.getByText("This browser keeps no drafts").waitFor();
  assert.equal(await prompt.inputValue(), "not sent yet");
  await prompt.press("End");
  const asked = page.waitForEvent("dialog");
  const left = page.close({ runBeforeUnload: true });
  const question = await asked;
  assert.equal(question.type(), "beforeunload");
  await question.dismiss();
  await left;
  assert.equal(await prompt.inputValue(), "not sent yet");
});
