/** Tasks as somebody works with them: made, killed, retried, added to, closed. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { killAgents } from "../e2e/counting.ts";
import { commandRuns, seenUntil } from "../e2e/house.ts";
import { axeFindings } from "./fixtures/axe.ts";
import { findsNothing } from "./fixtures/every-look.ts";
import { pageTests } from "./fixtures/page-test.ts";

const test = pageTests();

const button = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true });
const attempt = (page: Page, name: RegExp) =>
  page.getByRole("region", { name: "Attempts" }).getByRole("button", { name });

test("[PAG-181] [PAG-182] [PAG-183] [PAG-184] [PAG-185] a task is made, killed, retried, added to, looked at and closed", async (stage) => {
  const { client, house, workspace } = stage.scene;
  const latch = house.latch();
  const page = await stage.open("/tasks");
  await page.getByRole("link", { name: "New task" }).first().click();
  await page.getByLabel("Title").fill("Fix the login");
  await page
    .getByLabel("What is to be done")
    .fill(`write a.txt one\nrun ${latch.wait}`);
  await page.getByLabel("Directory").fill(workspace);
  // What was typed is there after a reload.
  await page.reload();
  assert.equal(await page.getByLabel("Title").inputValue(), "Fix the login");
  await button(page, "Create and run").click();
  await page.getByRole("heading", { name: "Fix the login" }).waitFor();
  const id = new URL(page.url()).pathname.slice("/tasks/".length);
  assert.equal((await client.listTasks()).tasks.length, 1);

  const { session_id } = await eventually(
    () => client.showTask(id),
    (task) => task.session_id !== null,
  );
  assert.ok(session_id !== null);
  await seenUntil(client, session_id, commandRuns);
  await attempt(page, /1 First attempt.*Working/).waitFor();
  await killAgents(client, session_id);
  await attempt(page, /1 First attempt.*Cut off/).waitFor();

  latch.open();
  await button(page, "Retry").click();
  const second = attempt(page, /2 Went on.*Succeeded.*native/);
  await second.waitFor();
  await second.click();
  await page.getByText("It restored its own session").waitFor();
  await page.getByText("It was asked for.").waitFor();
  assert.equal(
    await page
      .getByRole("link", { name: "Open session" })
      .first()
      .getAttribute("href"),
    `/s/${session_id}`,
  );

  const more = page.getByLabel("More context");
  await more.fill("write b.txt two");
  await button(page, "Add context").click();
  const third = attempt(page, /3 With more context.*Succeeded.*1 file/);
  await third.waitFor();
  assert.equal(await more.inputValue(), "");
  await third.click();
  await page.getByRole("region", { name: "b.txt, attempt 3" }).waitFor();
  assert.deepEqual(await axeFindings(page), []);

  await button(page, "Done").click();
  await page.locator("main header").getByText("Done").waitFor();
  assert.equal((await client.showTask(id)).state, "DONE");
  assert.equal(await more.count(), 0);
});

test("[PAG-180] [PAG-16] tasks are listed, found and opened by keys; axe finds nothing", async (stage) => {
  const { client, workspace: cwd } = stage.scene;
  const { id } = await client.createTask({ title: "Alpha", cwd });
  await client.createTask({ title: "Beta", cwd });
  const page = await stage.open("/tasks");
  await page.getByRole("heading", { name: "To do" }).waitFor();
  await findsNothing(page, "tasks to do");
  await page.keyboard.press("/");
  await page.keyboard.type("alpha");
  await page.getByRole("link", { name: "Beta" }).waitFor({ state: "detached" });
  await page.getByRole("searchbox").blur();
  await page.keyboard.press("j");
  await page.waitForFunction(() => document.activeElement?.matches("a"));
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/tasks/${id}`);
  await button(page, "Cancel task").click();
  await page.keyboard.press("Escape");
  await button(page, "Run it").waitFor();
  await findsNothing(page, "a task to do");
});
