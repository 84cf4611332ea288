/** A session as somebody reads it: streaming, hostile text, questions, the list that follows its end. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { atRest } from "./fixtures/at-rest.ts";
import { pageTests, type Stage } from "./fixtures/page-test.ts";

const test = pageTests();

const begin = async (stage: Stage) => {
  const { client } = stage.scene;
  const { id } = await client.createSession({
    agent: "demo",
    name: "A conversation",
    cwd: stage.scene.workspace,
  });
  return {
    id,
    say: (text: string) => client.queuePrompt(id, { text }),
    /** No turn runs and none waits. */
    isQuiet: () =>
      eventually(
        () => client.showSession(id),
        ({ state, queued_prompts }) =>
          state === "WAITING_FOR_INPUT" && queued_prompts.length === 0,
      ),
  };
};

const messages = (page: Page) => page.getByRole("region", { name: "Messages" });
const box = (page: Page) => page.getByRole("textbox", { name: "Prompt" });

/** How far the list is from its end, and how many rows the document holds. */
const place = (page: Page) =>
  messages(page).evaluate((list) => ({
    top: list.scrollTop,
    toEnd: list.scrollHeight - list.clientHeight - list.scrollTop,
    rows: list.querySelectorAll("[data-row]").length,
  }));

const isAtEnd = (page: Page) =>
  eventually(
    () => place(page),
    ({ toEnd }) => toEnd <= 24,
  );

test("[PAG-74] hostile text is text: nothing runs, nothing is asked of others, nothing is refused", async (stage) => {
  const session = await begin(stage);
  const page = await stage.open(`/s/${session.id}`);
  await session.say(
    [
      "Look: <script>window.hacked=1</script> <img src=x onerror=window.hacked=2>",
      "",
      "[click](javascript:window.hacked=3) ![seen](https://evil.example/pixel.png)",
      "",
      "\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007 <iframe src=https://evil.example></iframe>",
      "",
      "<style>body{display:none}</style> `code` and **bold**",
    ].join("\n"),
  );
  await page.getByText(/^Completed/).waitFor();
  await session.isQuiet();
  assert.equal(await page.evaluate(() => "hacked" in globalThis), false);
  assert.equal(
    await messages(page).locator("script, img, iframe, style").count(),
    0,
  );
  assert.equal(await page.getByRole("link", { name: "click" }).count(), 0);
  const image = page.getByRole("link", { name: "seen" });
  assert.equal(await image.getAttribute("rel"), "noreferrer noopener");
});

test("[PAG-71] a line of a megabyte does not stop the page", async (stage) => {
  const session = await begin(stage);
  const page = await stage.open(`/s/${session.id}`);
  await session.say("big 1024");
  await page.getByText(/^Completed/).waitFor();
  // The foot grows once more when the turn is captured, and what is pressed moves.
  await page.getByText("captured", { exact: true }).waitFor();
  await page.getByRole("button", { name: /1024 KiB/ }).click();
  await page.getByRole("button", { name: /^Show more of the other/ }).waitFor();
  await box(page).fill("still here");
  assert.equal(await box(page).inputValue(), "still here");
});

test("[PAG-82] [PAG-83] [PAG-86] the list follows its end, and a reader who moves up is left alone", async (stage) => {
  const session = await begin(stage);
  const page = await stage.open(`/s/${session.id}`);
  for (const turn of [1, 2, 3]) {
    await session.say(
      Array.from({ length: 30 }, (_, line) => `line ${turn}.${line}\n`).join(
        "\n",
      ),
    );
    // The end of what was said: its beginning may be out of sight by now, and out of the document.
    await page.getByText(`line ${turn}.29`).last().waitFor();
  }
  await session.isQuiet();
  await isAtEnd(page);
  // The box grows, and the window shrinks: the end stays in sight.
  await box(page).fill("one\ntwo\nthree\nfour\nfive\nsix");
  await isAtEnd(page);
  await page.setViewportSize({ width: 1100, height: 500 });
  await isAtEnd(page);
  await box(page).fill("");
  const latch = stage.scene.house.latch();
  await session.say(`run ${latch.wait}\ncount 60 0`);
  await page.getByText("running", { exact: true }).last().waitFor();
  await isAtEnd(page);
  await messages(page).hover();
  await page.mouse.wheel(0, -600);
  const latest = page.getByRole("button", { name: "Latest" });
  await latest.waitFor();
  await messages(page).evaluate(atRest);
  const before = await place(page);
  latch.open();
  await session.isQuiet();
  await page
    .getByRole("complementary", { name: "The line of this session" })
    .getByRole("button", { name: /^Turn 4, completed/ })
    .waitFor();
  const after = await place(page);
  assert.equal(after.top, before.top);
  assert.ok(after.rows > 0 && after.rows <= 60);
  await latest.click();
  await isAtEnd(page);
  await latest.waitFor({ state: "detached" });
});

test("[PAG-302] a turn that is chosen in the line stays in sight while more is said, and while the list was moved before", async (stage) => {
  const session = await begin(stage);
  const page = await stage.open(`/s/${session.id}`);
  for (const turn of [1, 2, 3]) {
    await session.say(
      Array.from({ length: 30 }, (_, line) => `line ${turn}.${line}\n`).join(
        "\n",
      ),
    );
    await page.getByText(`line ${turn}.29`).last().waitFor();
    await session.isQuiet();
  }
  const line = page.getByRole("complementary", {
    name: "The line of this session",
  });
  const latest = page.getByRole("button", { name: "Latest" });
  for (const turn of [2, 1]) {
    const latch = stage.scene.house.latch();
    await session.say(`run ${latch.wait}\ncount 60 0`);
    await page.getByText("running", { exact: true }).last().waitFor();
    await isAtEnd(page);
    // A wheel that turns on at the end belongs to whoever chose the turn, and is no wish to be there.
    await messages(page).hover();
    await page.mouse.wheel(0, 300);
    await line
      .getByRole("button", { name: new RegExp(`^Turn ${turn},`) })
      .click();
    await latest.waitFor();
    const heading = page.getByRole("heading", { name: `Turn ${turn}` });
    const topOf = () => heading.evaluate((it) => it.getBoundingClientRect().y);
    const isTop = await messages(page).evaluate(
      (list) => list.getBoundingClientRect().y,
    );
    await eventually(topOf, (top) => top >= isTop - 1 && top < isTop + 60);
    // The list goes there in several steps.
    await heading.evaluate(atRest);
    const at = await topOf();
    assert.ok(at >= isTop - 1 && at < isTop + 60, `turn ${turn}`);
    latch.open();
    await session.isQuiet();
    await line
      .getByRole("button", { name: new RegExp(`^Turn ${6 - turn}, completed`) })
      .waitFor();
    assert.ok(Math.abs((await topOf()) - at) <= 2, `turn ${turn}`);
    await latest.click();
    await isAtEnd(page);
  }
});

test("[PAG-91] a question answers nothing for half a second, takes no focus, and letters answer nothing", async (stage) => {
  const session = await begin(stage);
  const page = await stage.open(`/s/${session.id}`);
  const isPending = async () =>
    (await stage.scene.client.showSession(session.id)).pending_permissions
      .length === 1;
  await box(page).focus();
  // The click lies where the button will be, and comes in the same moment as the card.
  await page.evaluate(() => {
    const clicked = globalThis as { tooEarly?: number };
    new MutationObserver((_, observer) => {
      const allow = [...document.querySelectorAll("button")].find((each) =>
        each.textContent.startsWith("Allow"),
      );
      if (allow === undefined) return;
      observer.disconnect();
      allow.click();
      clicked.tooEarly = performance.now();
    }).observe(document.body, { childList: true, subtree: true });
  });
  await session.say("ask may I go on");
  const card = page.getByRole("region", { name: "Permission" });
  await card.waitFor();
  await page.waitForFunction(() => "tooEarly" in globalThis);
  assert.equal(await isPending(), true);
  // What is typed meanwhile goes into the box, and answers nothing.
  await page.keyboard.type("a1y2");
  assert.equal(await box(page).inputValue(), "a1y2");
  await page.waitForFunction(
    () => document.querySelectorAll("button[aria-disabled=true]").length === 0,
  );
  await box(page).blur();
  await page.keyboard.press("1");
  await page.keyboard.press("a");
  assert.equal(await isPending(), true);
  await page.keyboard.press("p");
  assert.equal(
    await card.evaluate((card) => card === document.activeElement),
    true,
  );
  await page.keyboard.press("1");
  await card.waitFor({ state: "detached" });
  await session.isQuiet();
});

test("[PAG-297] an edit has one column of numbers, and one that changed nothing says so", async (stage) => {
  const session = await begin(stage);
  for (const words of ["one", "two", "two"])
    await session.say(`write a.txt ${words}`);
  await session.isQuiet();
  const page = await stage.open(`/s/${session.id}`);
  await page.getByText("No line changed.").waitFor();
  const rows = page.getByRole("group", { name: /^Changes in .*a\.txt$/ });
  await rows.nth(1).waitFor();
  assert.deepEqual(
    (await rows.nth(1).innerText())
      .split("\n")
      .map((row) => row.trim())
      .filter((row) => /^\d+$/.test(row)),
    ["1", "1"],
  );
});

test("[PAG-94] a prompt that waits goes back into the box to be edited", async (stage) => {
  const session = await begin(stage);
  const page = await stage.open(`/s/${session.id}`);
  await session.say("ask wait for me");
  await page.getByRole("region", { name: "Permission" }).waitFor();
  await box(page).fill("remember colour=teal");
  await box(page).press("Enter");
  const waiting = page.getByRole("list", { name: "Prompts that wait" });
  await waiting.getByText("remember colour=teal").waitFor();
  // The news of it may come before the answer.
  await eventually(
    () => box(page).inputValue(),
    (text) => text === "",
  );
  await page.getByRole("button", { name: "Edit this prompt" }).click();
  await waiting.waitFor({ state: "detached" });
  await eventually(
    () => box(page).inputValue(),
    (text) => text === "remember colour=teal",
  );
  await page.getByRole("button", { name: /^Reject/ }).click();
  await session.isQuiet();
});

test("[PAG-366] [PAG-369] a turn that is chosen beside the changes leads to that turn, whose prompt hides nothing", async (stage) => {
  const session = await begin(stage);
  await session.say("tell me \u202eof it");
  for (let turn = 2; turn <= 8; turn += 1) {
    await session.say("big 4");
  }
  await session.isQuiet();
  const page = await stage.open(`/s/${session.id}/changes`);
  await page
    .getByRole("complementary")
    .getByRole("button", { name: /^Turn 1,/ })
    .click();
  const prompt = messages(page).getByText("tell me \\u202eof it");
  await prompt.waitFor();
  await page.getByRole("button", { name: "Latest" }).waitFor();
  const place = await prompt.boundingBox();
  assert.ok(place !== null && place.y > 0 && place.y < 700);
  const line = await page.getByRole("complementary").innerText();
  assert.match(line, /tell me \\u202eof it/);
  assert.doesNotMatch(line, /\u202e/);
});
