/** Homes with many sessions, and sessions with many messages. How long it takes exactly is for benches: here nothing may be far off. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { BusySession, engineOn } from "../../bench/busy-session.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { pageTests } from "./fixtures/page-test.ts";
import { messages } from "./fixtures/session-test.ts";

const test = await pageTests({ auto_resume: false });

const SESSIONS = 1_000;
const TURNS = 200;
/** With the prompt and what is said, 50 messages a turn. */
const CALLS_PER_TURN = 48;

/** Milliseconds from the beginning of the page's load until now. */
const sinceLoad = (page: Page): Promise<number> =>
  page.evaluate(() => performance.now());

test("[PAG-215] a thousand sessions are listed and ten thousand messages opened without a wait", async (stage) => {
  const { scene } = stage;
  await scene.server.stop();
  const path = join(scene.house.home, "reprise.db");
  const store = await openSqliteStore({ path });
  const engine = engineOn(store, await store.claim());
  await Promise.all(
    Array.from({ length: SESSIONS }, async (_, n) =>
      (await BusySession.begin(engine, n + 2)).rest(),
    ),
  );
  const long = await BusySession.begin(engine, 1);
  for (let turn = 1; turn <= TURNS; turn += 1) {
    await long.words(2)();
    await long.calls(CALLS_PER_TURN)();
    if (turn < TURNS) await long.nextTurn();
    else await long.rest();
  }
  await store.close();
  await scene.up();

  const page = await stage.open();
  await page.goto(scene.server.url);
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await page.getByRole("main").getByRole("link").nth(5).waitFor();
  const listed = await sinceLoad(page);
  assert.ok(listed < patience(2_500), `listed after ${listed} ms`);
  assert.ok((await page.locator("*").count()) < 5_000);

  await page.goto(`${scene.server.url}/s/${long.id}`);
  await messages(page).locator("[data-row]").last().waitFor();
  const opened = await sinceLoad(page);
  assert.ok(opened < patience(5_000), `opened after ${opened} ms`);
  const rows = await messages(page).locator("[data-row]").count();
  assert.ok(rows > 0 && rows <= 60, `${rows} rows`);
});
