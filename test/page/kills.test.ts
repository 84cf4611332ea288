/** What somebody sees who looks at a session while its server is killed. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { eventually, patience } from "../../src/kit/fixtures/patience.ts";
import { spoken } from "../e2e/house.ts";
import { pageTests } from "./fixtures/page-test.ts";
import { pressIfThere } from "./fixtures/press-if-there.ts";
import {
  agentSays,
  bandSays,
  beginSession,
  box,
  conversationSays,
  GONE,
  messages,
  onAnyDay,
  oneLine,
  shownWords,
  startAgain,
} from "./fixtures/session-test.ts";

const test = pageTests();

/** Keeps what the bar on top has said, in the document itself: a reload would forget it. */
const watchBar = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const kept: string[] = [];
    Object.assign(globalThis, { kept });
    new MutationObserver(() => {
      const bar = document.querySelector("[role=status] p")?.textContent;
      if (bar !== undefined && bar !== kept.at(-1)) kept.push(bar);
    }).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });

const barSaid = (page: Page): Promise<string[] | null> =>
  page.evaluate(() => {
    const { kept } = globalThis as { kept?: string[] };
    return kept ?? null;
  });

test("[PAG-210] [PAG-211] [PAG-212] seven tabs over a killed server: no reload, each word once, the draft kept", async (stage) => {
  const { scene } = stage;
  const session = await beginSession(scene);
  const context = await stage.browser();
  const sockets: string[][] = [];
  const openTab = async (address: string): Promise<Page> => {
    const page = await context.newPage();
    const opened: string[] = [];
    sockets.push(opened);
    page.on("websocket", (socket) => opened.push(socket.url()));
    await page.goto(address);
    await messages(page).waitFor();
    return page;
  };
  const { url } = scene.server;
  const first = await openTab(stage.link(session.path));
  const latch = scene.house.latch();
  await session.say(`count 120 5\nrun ${latch.wait}\ncount 90 0`);
  await conversationSays(first, /\b7\b/);
  const tabs = [first];
  while (tabs.length < 7) tabs.push(await openTab(`${url}${session.path}`));
  // Who comes in the middle of what is said sees the same as who was there.
  await tabs.at(-1)?.reload();
  // The prompt has this number too.
  for (const tab of tabs)
    await eventually(
      () => spokenIn(tab),
      (said) => said.endsWith(" 120"),
    );
  assert.equal(new Set(await Promise.all(tabs.map(spokenIn))).size, 1);
  // What a document brings is shown before its connection stands.
  await eventually(
    () => sockets.map((opened) => opened.length).join(),
    (opened) => opened === "1,1,1,1,1,1,2",
  );

  await first.bringToFront();
  await watchBar(first);
  await box(first).fill("half a thou");
  await scene.server.kill();
  // The agent goes on, and ends its turn with nobody there.
  latch.open();
  const bar = first.getByRole("status").filter({ hasText: "is away" });
  await bar.waitFor();
  assert.match(
    oneLine(await bar.innerText()),
    /^The server is away\. Agents go on working\. What you see is from \d\d:\d\d:\d\d; it catches up by itself\. (Next try in \d+ s\.|Trying now\.)$/,
  );
  await box(first).press("End");
  await box(first).pressSequentially("ght");
  await startAgain(scene, url);
  const said = await eventually(
    async () => {
      // It may find the server by itself first.
      await pressIfThere(first.getByRole("button", { name: "Try now" }));
      return barSaid(first);
    },
    (all) => all?.some((each) => each.startsWith("Back.")) ?? true,
  );
  assert.match(said?.at(-1) ?? "", /^Back\. \d+ events? caught up\.$/);
  await session.isQuiet();
  const words = oneLine(
    spoken(await session.until(({ type }) => type === "session.turn.ended")),
  );
  for (const tab of tabs) {
    await tab.getByText(/^Completed in/).waitFor({ timeout: patience(30_000) });
    assert.equal(await spokenIn(tab), words);
  }
  assert.equal(await box(first).inputValue(), "half a thought");
  assert.notEqual(await barSaid(first), null);
  await conversationSays(
    first,
    /The server was restarted\. The agent never stopped: found again in [\d.]+ m?s, nothing lost\./,
  );
  // The foot of the turn says so when the turn is captured.
  await conversationSays(first, /\bcaptured\b/);
  const before = await shownWords(first);
  await first.reload();
  await eventually(
    () => shownWords(first),
    (after) => onAnyDay(after) === onAnyDay(before),
  );
  assert.equal(await box(first).inputValue(), "half a thought");
  stage.forgive(GONE);
});

/** What the agent has said, as the page has it. */
const spokenIn = async (page: Page): Promise<string> =>
  oneLine(
    (await messages(page).locator("[data-row=say]").allInnerTexts()).join(" "),
  );

test("[PAG-48] [PAG-34] a session is resumed once per opening, and its agent remembers", async (stage) => {
  const session = await beginSession(stage.scene);
  await session.say("remember colour=teal");
  await session.isQuiet();
  await session.isCaptured(1);
  await session.killAgent();
  const resumes = async () =>
    (await session.until(isLast((await session.show()).last_seq))).filter(
      ({ type }) => type === "session.resumed",
    ).length;
  const page = await stage.open(session.path);
  await conversationSays(
    page,
    /The agent was killed by SIGKILL \w+ at \d\d:\d\d native It restored its own session in [\d.]+ m?s\. Verified, workspace unchanged\./,
  );
  await session.isQuiet();
  assert.equal(await resumes(), 1);
  // It dies again under the eyes of whoever looks: now they decide.
  await session.killAgent();
  await bandSays(
    page,
    "**The agent is not running.** It can restore its own session and will remember its turn. | [Resume session] | Write to Demo",
  );
  assert.equal(await resumes(), 1);
  await page.reload();
  await bandSays(page, " |  | Write to Demo");
  await box(page).fill("recall colour");
  await box(page).press("Enter");
  await agentSays(page, "colour=teal");
  assert.equal(await resumes(), 2);
});

const isLast =
  (last: number) =>
  ({ seq }: { seq: number }): boolean =>
    seq >= last;
