/** What is dropped on the prompt box, and what cannot be copied. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { axeFindings } from "./fixtures/axe.ts";
import { pageTests } from "./fixtures/page-test.ts";
import { beginQuiet } from "./fixtures/quiet-session.ts";

const test = pageTests();

const box = (page: Page) => page.getByRole("textbox", { name: "Prompt" });
const finder = (page: Page) =>
  page.getByRole("combobox", { name: "Search and commands" });
for (const [where, path] of [
  ["the prompt box", "session"],
  ["a new session", "/new?agent=demo"],
] as const)
  test(`[PAG-308] texts, files and folders are dropped on ${where}`, async (stage) => {
    const { scene } = stage;
    const session = await beginQuiet(stage);
    const page = await stage.open(
      path === "session" ? `/s/${session.id}` : path,
    );
    if (path !== "session")
      await page.getByRole("radio", { name: /^Demo/ }).waitFor();
    await box(page).fill("before after");
    await box(page).evaluate((area: HTMLTextAreaElement) =>
      area.setSelectionRange(7, 7),
    );
    const attach = page.getByRole("button", { name: "Attach" });
    /** As a browser tells it, where a text comes from another window. */
    const dropText = async (text: string): Promise<void> => {
      const dataTransfer = await page.evaluateHandle((text) => {
        const data = new DataTransfer();
        data.setData("text/plain", text);
        return data;
      }, text);
      await attach.dispatchEvent("drop", { dataTransfer });
    };
    await dropText("between ");
    assert.equal(await box(page).inputValue(), "before between after");
    assert.deepEqual(
      await box(page).evaluate((area: HTMLTextAreaElement) => [
        area.selectionStart,
        area === document.activeElement,
      ]),
      [15, true],
    );
    await dropText("a long line\n".repeat(300));
    const attached = page.getByRole("list", { name: "Attachments" });
    await attached.getByText("dropped-1.txt").waitFor();

    // Files of this machine, as they come from its desktop.
    mkdirSync(join(scene.workspace, "a-folder"));
    writeFileSync(join(scene.workspace, "notes.md"), "to be read");
    writeFileSync(
      join(scene.workspace, "huge.txt"),
      Buffer.alloc(40 << 20, 97),
    );
    const place = await attach.boundingBox();
    const devtools = await page.context().newCDPSession(page);
    const dropFiles = async (...names: string[]): Promise<void> => {
      const data = {
        items: [],
        files: names.map((name) => join(scene.workspace, name)),
        dragOperationsMask: 1,
      };
      const point = { x: (place?.x ?? 0) + 5, y: (place?.y ?? 0) + 5, data };
      for (const type of ["dragEnter", "dragOver", "drop"] as const)
        await devtools.send("Input.dispatchDragEvent", { type, ...point });
    };
    await dropFiles("a-folder", "notes.md");
    await attached.getByText("notes.md").waitFor();
    const alert = page.getByRole("alert");
    await alert
      .getByText("a-folder is a folder. Put it into the workspace and name it.")
      .waitFor();
    await dropFiles("huge.txt");
    await alert.getByText(/^huge\.txt has .* A prompt takes at most/).waitFor();
    assert.equal(await attached.getByRole("listitem").count(), 2);
    assert.equal(await box(page).inputValue(), "before between after");
  });

test("[PAG-307] what the browser does not let the page copy is shown, selected", async (stage) => {
  const session = await beginQuiet(stage);
  await session.say("see\n~~~sh\necho copied by hand\n~~~");
  const page = await stage.open();
  // As browsers have it for pages that come over plain http from another machine.
  await page.context().addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
  });
  await page.goto(`${stage.scene.server.url}/s/${session.id}`);
  const copy = page.getByRole("button", { name: "Copy the code" }).last();
  await copy.click();
  const shown = page.getByRole("dialog", {
    name: "The browser does not let the page copy",
  });
  const text = shown.getByRole("textbox", { name: "What was to be copied" });
  await text.waitFor();
  const selected = () =>
    text.evaluate((area: HTMLTextAreaElement) => ({
      value: area.value.slice(area.selectionStart, area.selectionEnd),
      hasFocus: area === document.activeElement,
    }));
  await eventually(selected, ({ hasFocus }) => hasFocus);
  assert.match((await selected()).value, /^echo copied by hand\n?$/);
  assert.deepEqual(await axeFindings(page), []);
  await page.keyboard.press("Escape");
  await shown.waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await finder(page).fill("reprise session");
  await page
    .getByRole("option", { name: /session show/ })
    .first()
    .click();
  await text.waitFor();
  assert.match(await text.inputValue(), new RegExp(session.id));
});
