/** Names that agents, files and people made up to break what shows them: they are text in a line, everywhere. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { root } from "../e2e/house.ts";
import { axeFindings } from "./fixtures/axe.ts";
import { pageTests, PHONE } from "./fixtures/page-test.ts";
import { bandSays, box } from "./fixtures/session-test.ts";

const program = join(root, "test/agents/hostile-names.ts");
const test = pageTests({
  agents: { hostile: { command: [process.execPath, program] } },
});

/** A file name has at most 255 bytes. */
const NAME = `\u202e\u2066gnp\n\u0007<b data-evil>x<b>${"W".repeat(150)}`;

/** Nothing that is shown or told hides or turns round anything, no name became markup, and nothing sticks out of the screen. */
const assertTame = async (page: Page, where: string): Promise<void> => {
  const found = await page.evaluate(() => {
    const told = [...document.querySelectorAll("main *, header *, nav *")]
      .filter((each) => each.closest("pre, textarea, script") === null)
      .flatMap((each) => [
        each.getAttribute("title") ?? "",
        each.getAttribute("aria-label") ?? "",
        ...[...each.childNodes]
          .filter((node) => node instanceof Text)
          .map(({ data }) => data),
      ]);
    return {
      bad: told.filter((text) =>
        // oxlint-disable-next-line no-control-regex
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(
          text,
        ),
      ),
      evil: document.querySelectorAll("[data-evil]").length,
      wider: document.documentElement.scrollWidth - innerWidth,
    };
  });
  assert.deepEqual(
    found.bad.map((text) => text.slice(0, 80)),
    [],
    where,
  );
  assert.equal(found.evil, 0, where);
  assert.ok(found.wider <= 0, `${where}: ${found.wider} px wider`);
};

test("[PAG-310] names of agents, sessions, models, modes, files and tool calls are text in a line wherever they show", async (stage) => {
  const { client, workspace } = stage.scene;
  mkdirSync(join(workspace, NAME));
  writeFileSync(join(workspace, NAME, "a.txt"), "x\n");
  writeFileSync(join(workspace, `${NAME}.txt`), "x\n");
  const { id } = await client.createSession({
    agent: "hostile",
    name: `\u202eevil <b data-evil>name</b>\u0007${"W".repeat(150)}`,
    cwd: join(workspace, NAME),
  });
  await client.createSession({ agent: "demo", cwd: workspace });
  await client.queuePrompt(id, { text: "go <b data-evil>on</b>" });
  await eventually(
    () => client.showSession(id),
    ({ pending_permissions }) => pending_permissions.length === 1,
  );
  const page = await stage.open(`/s/${id}`);
  const { url } = stage.scene.server;
  for (const size of [{ width: 1280, height: 800 }, PHONE]) {
    await page.setViewportSize(size);
    const at = (where: string): string => `${where} at ${size.width} px`;

    await page.goto(`${url}/s/${id}`);
    const question = page.getByRole("region", { name: "Permission" });
    await question.getByText(/rm -r/).waitFor();
    await box(page).waitFor();
    await page.getByText("Said.").waitFor();
    // On a phone they are there for who writes.
    await box(page).focus();
    for (const what of ["Model", "Mode"])
      await page.getByRole("combobox", { name: what, exact: true }).waitFor();
    // What is allowed is shown whole, and nothing in it is hidden.
    const command = await question.locator("pre").innerText();
    assert.match(command, /^rm -r\n\\u202e\\u2066gnp\.exe\\x07\\x1b\[31m<b/);
    await assertTame(page, at("the session"));
    assert.deepEqual(await axeFindings(page), []);

    await page.goto(url);
    await page.getByText("hostile asks").waitFor();
    await assertTame(page, at("Home"));

    await page.goto(`${url}/new?agent=hostile`);
    await page.getByRole("radio", { name: /^hostile/ }).waitFor();
    await assertTame(page, at("a new session"));

    await page.goto(`${url}/agents`);
    await page.getByText("Memory is that of an agent").waitFor();
    await assertTame(page, at("agents"));

    await page.goto(`${url}/s/${id}/workspace`);
    await page.getByRole("tree").waitFor();
    await page.getByRole("treeitem", { name: "a.txt" }).click();
    await assertTame(page, at("the workspace"));
  }
  const [{ id: plain } = { id: "" }] = (
    await client.listSessions({ cwd: workspace })
  ).sessions;
  await page.goto(`${url}/s/${plain}/workspace`);
  await page.getByRole("treeitem", { name: /gnp.*\.txt/ }).click();
  await page.getByRole("region", { name: /^Text of .*gnp.*\.txt/ }).waitFor();
  await assertTame(page, "the workspace with the file");
  await client.pauseSession(id);
  await page.goto(`${url}/s/${id}`);
  await bandSays(page, /./);
});
