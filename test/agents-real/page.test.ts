/** Real Claude Code in the page: started, asked, killed and brought back by the buttons, while the model behind it is scripted. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { chromium, type Page } from "playwright-core";
import { eventually, patience } from "../../src/kit/fixtures/patience.ts";
import { killAgentOf } from "../e2e/counting.ts";
import { BROWSER_FLAGS, findChromium } from "../page/fixtures/find-chromium.ts";
import {
  bandSays,
  box,
  conversationSays,
  JUST_NOW,
  oneLine,
  permission,
} from "../page/fixtures/session-test.ts";
import { watch } from "../page/fixtures/watch.ts";
import { Scene } from "./scene.ts";

const found = await findChromium();

test(
  "[PAG-260] claude is started, allowed, killed and resumed in the page, and knows its passkey afterwards",
  {
    skip: "missing" in found ? `no Chromium: ${found.missing}` : false,
    timeout: patience(240_000),
  },
  async () => {
    await using made = new AsyncDisposableStack();
    const browser = await chromium.launch({
      executablePath: "path" in found ? found.path : "",
      args: BROWSER_FLAGS,
      timeout: patience(60_000),
    });
    made.defer(() => browser.close());
    const scene = made.use(await Scene.make("claude"));
    const { client, house, model } = scene;
    const context = await browser.newContext();
    context.setDefaultTimeout(patience(30_000));
    const { troubles } = await watch(
      context,
      ({ hostname }) => hostname === "127.0.0.1",
    );
    const page = await context.newPage();
    const passkey = randomUUID();
    const file = join(house.workspace, "greeting.txt");
    const other = join(house.workspace, "shell.txt");

    await page.goto(scene.link);
    await page.getByRole("link", { name: "New session" }).first().click();
    await page.getByText("Claude Code", { exact: true }).click();
    await page.getByLabel("Where").fill(house.workspace);
    const first = page.getByRole("textbox", { name: "Prompt" });
    await first.fill(`store passkey ${passkey}\nwrite ${file} good morning`);
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.waitForURL(/\/s\/ses_/);
    const id = new URL(page.url()).pathname.slice(3);

    // Nothing is written before it is allowed; the card shows what it would be.
    await asks(page, /greeting\.txt.*good morning/);
    await assert.rejects(readFile(file));
    await allow(page);
    await conversationSays(page, /Completed in .*1 file \+1/);
    assert.equal((await readFile(file, "utf8")).trim(), "good morning");
    const line = `printf 'by a shell' > '${other}'`;
    await send(page, `shell ${line}`);
    await asks(page, line);
    await allow(page);
    await eventually(
      () => client.showSession(id),
      ({ checkpoint }) => checkpoint?.turn === 2,
    );

    await page.getByRole("link", { name: "Changes", exact: true }).click();
    const diffs = page.getByRole("region", { name: "Diffs" });
    await diffs.getByText("good morning").waitFor();
    await diffs.getByText("by a shell").waitFor();
    await page.getByRole("link", { name: "Conversation" }).click();

    await send(page, "stream 100000 20");
    await conversationSays(page, /\b5 6 7 /);
    await killAgentOf(house, client, id);
    await bandSays(
      page,
      "**Turn 3 was cut off: the agent was killed by SIGKILL.** What it did is kept. Nothing is sent again by itself. | [Continue] · Resend · Drop | Write to Claude Code",
    );
    await press(page, "Drop");
    // Once per opening the page resumes by itself.
    await conversationSays(
      page,
      new RegExp(`SIGKILL in turn 3 ${JUST_NOW} ${NATIVE}`),
    );
    await killAgentOf(house, client, id);
    await bandSays(
      page,
      "**The agent is not running.** It can restore its own session and will remember all 3 turns. | [Resume session] | Write to Claude Code",
    );
    await press(page, "Resume session");
    await bandSays(page, " |  | Write to Claude Code");
    await conversationSays(page, new RegExp(`SIGKILL ${JUST_NOW} ${NATIVE}`));
    await send(page, "say the passkey");
    await eventually(
      () => page.getByRole("region", { name: "Messages" }).innerText(),
      (text) =>
        oneLine(text.split("say the passkey")[1] ?? "").includes(passkey),
    );
    const { resume } = await client.showSession(id);
    assert.deepEqual([resume?.grade, resume?.verified], ["native", true]);
    assert.equal(
      model.asked.filter(
        ({ prompt, aside }) => !aside && prompt === "stream 100000 20",
      ).length,
      1,
      "what was dropped is not sent again",
    );
    assert.deepEqual(model.strange, []);
    assert.deepEqual(troubles, []);
  },
);

const NATIVE = String.raw`native It restored its own session in [\d.]+ m?s\. Verified, workspace unchanged\.`;

const send = async (page: Page, text: string): Promise<void> => {
  await box(page).fill(text);
  await box(page).press("Enter");
};

/** Waits for a question that shows this. */
const asks = async (page: Page, shown: string | RegExp): Promise<void> => {
  await permission(page).waitFor();
  await eventually(
    async () => oneLine(await permission(page).innerText()),
    (text) =>
      typeof shown === "string" ? text.includes(shown) : shown.test(text),
  );
};

const allow = async (page: Page): Promise<void> => {
  await permission(page)
    .getByRole("button", { name: /^Allow/ })
    .first()
    .click();
  await permission(page).waitFor({ state: "detached" });
};

const press = (page: Page, name: string): Promise<void> =>
  page
    .getByRole("region", { name: "Where the session stands" })
    .getByRole("button", { name, exact: true })
    .click();
