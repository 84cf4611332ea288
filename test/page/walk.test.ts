/**
 * The whole task as somebody new does it: started, asked for permission, looked at, killed, resumed, gone back and forked. Once by
 * mouse at a desk, once by touch at the width of a phone; by keyboard it is in `keyboard-alone.test.ts`. Only what can be seen is
 * used: nothing is opened by its address.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { killAgentOf } from "../e2e/counting.ts";
import { commandRuns, seenUntil } from "../e2e/house.ts";
import { atRest } from "./fixtures/at-rest.ts";
import { pageTests, PHONE, type Stage } from "./fixtures/page-test.ts";
import {
  agentSays,
  bandSays,
  box,
  conversationSays,
  messages,
  permission,
} from "./fixtures/session-test.ts";

const test = pageTests({ auto_resume: false });

/** How somebody presses things, and where they find them. */
interface Hand {
  press(it: Locator): Promise<void>;
  /** Goes to the screen on which a session is started. */
  startOne(page: Page): Promise<void>;
  /** From the line. */
  rewindTo(page: Page, turn: number): Promise<void>;
  forkFrom(page: Page, turn: number): Promise<void>;
}

const knot = (page: Page, turn: number): Locator =>
  page
    .getByRole("complementary")
    .getByRole("button", { name: new RegExp(`^Turn ${turn},`) });

/** Marks whose drawing lies over their words. */
const drawnOver = (page: Page): Promise<(string | null)[]> =>
  page.getByRole("complementary").evaluate((line) =>
    [...line.querySelectorAll("li")].flatMap((row) => {
      const drawing = row.querySelector("svg")?.getBoundingClientRect();
      const words = document.createRange();
      const seen = row.querySelector(":scope > span[aria-hidden] + span");
      if (drawing === undefined || seen === null) return [];
      words.selectNodeContents(seen);
      return words.getBoundingClientRect().left < drawing.right
        ? [seen.textContent]
        : [];
    }),
  );

const mouse: Hand = {
  press: (it) => it.click(),
  startOne: (page) =>
    page.getByRole("link", { name: "New session" }).first().click(),
  rewindTo: async (page, turn) => {
    await knot(page, turn).hover();
    await page.getByRole("link", { name: "Rewind to here" }).click();
  },
  forkFrom: async (page, turn) => {
    assert.deepEqual(await drawnOver(page), []);
    await knot(page, turn).hover();
    await page.getByRole("button", { name: "Fork from here" }).click();
  },
};

/** A finger cannot hover: a turn of the line is gone to, and has the same at its foot. */
const goTo = async (page: Page, turn: number): Promise<void> => {
  await page.getByRole("button", { name: /^Open the line/ }).tap();
  await knot(page, turn).tap();
  await foot(page, turn).evaluate(atRest);
};

const foot = (page: Page, turn: number): Locator =>
  messages(page).getByRole("group", { name: `Turn ${turn}`, exact: true });

const finger: Hand = {
  press: (it) => it.tap(),
  startOne: (page) =>
    page
      .getByRole("navigation", { name: "Places" })
      .getByRole("link", { name: "New" })
      .tap(),
  rewindTo: async (page, turn) => {
    await goTo(page, turn);
    await foot(page, turn).getByRole("link", { name: "Rewind" }).tap();
  },
  forkFrom: async (page, turn) => {
    await goTo(page, turn);
    await foot(page, turn).getByRole("button", { name: "Fork" }).tap();
  },
};

const walk = async (stage: Stage, page: Page, hand: Hand): Promise<void> => {
  const { client, house, workspace } = stage.scene;
  const file = (name: string) => readFile(join(workspace, name), "utf8");
  const send = async (text: string): Promise<void> => {
    await box(page).fill(text);
    await hand.press(page.getByRole("button", { name: /^(Send|Queue)/ }));
  };
  await hand.startOne(page);
  await page.getByRole("textbox", { name: "Prompt" }).waitFor();
  await hand.press(page.getByText("Demo", { exact: true }));
  await page.getByLabel("Where").fill(workspace);
  await page
    .getByRole("textbox", { name: "Prompt" })
    .fill("remember colour=teal\nwrite plan.txt one step");
  await hand.press(page.getByRole("button", { name: "Start", exact: true }));
  await page.waitForURL(/\/s\/ses_/);
  const id = new URL(page.url()).pathname.slice(3);
  await conversationSays(page, /Completed in .* 1 file \+1/);

  await send("ask-write plan.txt two steps");
  await permission(page).getByText("two steps").waitFor();
  await hand.press(permission(page).getByRole("button", { name: /^Allow/ }));
  await permission(page).waitFor({ state: "detached" });
  await conversationSays(page, /1 file \+1 −1/);
  // What is under the finger moves while the turn ends.
  await bandSays(page, " |  | Write to Demo");
  assert.match(await file("plan.txt"), /two steps/);
  await hand.press(page.getByRole("link", { name: "Diff" }).last());
  await page
    .getByRole("region", { name: "Diffs" })
    .getByText("two steps")
    .waitFor();
  await hand.press(page.getByRole("link", { name: "Conversation" }));

  const latch = house.latch();
  const { last_seq } = await client.showSession(id);
  await send(`run ${latch.wait}`);
  await page.getByRole("button", { name: "Cancel turn" }).waitFor();
  await seenUntil(client, id, commandRuns, last_seq);
  await killAgentOf(house, client, id);
  await bandSays(
    page,
    /^\*\*Turn 3 was cut off: the agent was killed by SIGKILL/,
  );
  const band = page.getByRole("region", { name: "Where the session stands" });
  await hand.press(band.getByRole("button", { name: "Drop" }));
  await bandSays(page, /^\*\*The agent is not running/);
  await hand.press(band.getByRole("button", { name: "Resume session" }));
  await conversationSays(page, "native It restored its own session");
  await send("recall colour");
  await agentSays(page, "colour=teal");

  await bandSays(page, " |  | Write to Demo");
  await hand.rewindTo(page, 1);
  await page.getByText("Turns 2 to 4 are left behind").waitFor();
  await hand.press(page.getByRole("button", { name: "Rewind to turn 1" }));
  await page
    .getByRole("status")
    .filter({ hasText: "Rewound to turn 1." })
    .waitFor();
  assert.match(await file("plan.txt"), /one step/);

  await hand.forkFrom(page, 2);
  await page.waitForURL((url) => !url.pathname.includes(id));
  const fork = new URL(page.url()).pathname.slice(3);
  const { parent } = await client.showSession(fork);
  assert.deepEqual(parent, { session_id: id, turn: 2 });
  await page.getByRole("heading", { name: "remember colour=teal" }).waitFor();
  await send("recall colour");
  await conversationSays(page, "colour=teal");
};

test("[PAG-263] [PAG-264] the whole task by mouse", async (stage) => {
  const page = await stage.open("/", {
    viewport: { width: 1280, height: 800 },
  });
  await walk(stage, page, mouse);
});

test("[PAG-263] [PAG-264] the whole task by touch on a phone", async (stage) => {
  const page = await stage.open("/", {
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
  });
  await walk(stage, page, finger);
});
