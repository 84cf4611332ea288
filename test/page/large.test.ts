/** Homes with many sessions, and sessions with many messages: what is read and drawn. How long it takes is for `bench/page`. */
import assert from "node:assert/strict";
import type { Page, Request } from "playwright-core";
import { fillHome, SESSIONS } from "../../bench/page/large-home.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { pageTests } from "./fixtures/page-test.ts";
import { messages } from "./fixtures/session-test.ts";

const test = pageTests({ auto_resume: false });

/** What the page reads of sessions after its document, in order. The line of a session is read besides, when the agents have names. */
const readsOf = (page: Page): string[] => {
  const paths: string[] = [];
  page.on("request", (request: Request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/api/sessions") && !pathname.endsWith("/line"))
      paths.push(`${pathname}${search}`);
  });
  return paths;
};

test("[PAG-215] [PAG-287] a thousand sessions are listed and ten thousand messages opened without reading or drawing them all", async (stage) => {
  const { scene } = stage;
  await scene.server.stop();
  const long = await fillHome(scene.house.home);
  await scene.up();

  const page = await stage.open();
  const reads = readsOf(page);
  await page.goto(scene.server.url);
  await page.getByRole("main").getByRole("link").nth(5).waitFor();
  const links = await page.getByRole("main").getByRole("link").count();
  assert.ok(links < SESSIONS / 4, `${links} links`);
  const elements = await page.locator("*").count();
  assert.ok(elements < 5_000, `${elements} elements`);
  assert.deepEqual(reads, []);

  await page.goto(`${scene.server.url}/s/${long}`);
  await messages(page).locator("[data-row]").last().waitFor();
  const count = () => messages(page).locator("[data-row]").count();
  assert.ok((await count()) <= 60, `${await count()} rows`);
  // The document has the newest; what is just above them may be read too.
  assertWindows(reads, 2);

  // Going up reads a window at a time, and what is out of sight leaves the document.
  const before = reads.length;
  await messages(page).focus();
  await page.keyboard.press("Home");
  await eventually(
    () => reads.length,
    (length) => length > before,
  );
  assert.ok((await count()) <= 60, `${await count()} rows`);
  assertWindows(reads, before + 4);

  // A turn that was not read is read when it is chosen.
  await page.goto(`${scene.server.url}/s/${long}`);
  await messages(page).locator("[data-row]").last().waitFor();
  const window = await scene.client.showWindow(long, { limit: 600 });
  const far = window.messages.find(
    ({ role, turn }) => role === "agent" && turn === 190,
  );
  assert.ok(far !== undefined);
  await page.getByRole("button", { name: /^Turn 190,/ }).click();
  await messages(page).getByText(far.text, { exact: true }).waitFor();
  assert.ok((await count()) <= 60, `${await count()} rows`);
});

/** They are parts of the conversation with a limit, and few. */
const assertWindows = (reads: readonly string[], most: number): void => {
  assert.ok(reads.length <= most, reads.join("\n"));
  for (const path of reads) assert.match(path, /\/window\?.*limit=(100|200)$/);
};
