/** Going back: what is shown before, what comes of it, and how it is undone. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { Event } from "../../src/contract/event/event.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { lineOf } from "../../src/session/line/marks.ts";
import { markSentence } from "../../web/src/words/mark-words.ts";
import { axeFindings } from "./fixtures/axe.ts";
import { pageTests, PHONE, type Stage } from "./fixtures/page-test.ts";

const test = pageTests();

/** A session with turns that are over and captured. */
const begin = async (stage: Stage, ...prompts: string[]) => {
  const { client, workspace } = stage.scene;
  const { id, cwd } = await client.createSession({
    agent: "demo",
    name: "Going back",
    cwd: workspace,
  });
  const say = async (text: string): Promise<void> => {
    const { turn_count } = await client.showSession(id);
    await client.queuePrompt(id, { text });
    await eventually(
      () => client.showSession(id),
      (session) =>
        session.turn_count === turn_count + 1 &&
        session.state === "WAITING_FOR_INPUT" &&
        session.checkpoint?.turn === turn_count + 1,
    );
  };
  for (const prompt of prompts) await say(prompt);
  const events = async (): Promise<Event[]> =>
    (await client.listEvents(id)).events;
  return { id, cwd, say, events, file: (name: string) => join(cwd, name) };
};

const line = (page: Page) => page.getByRole("complementary");

/** What the line says to who hears it. */
const sentences = (page: Page): Promise<string[]> =>
  line(page)
    .getByRole("listitem")
    .evaluateAll((items) =>
      items.map(
        (item) =>
          [...item.querySelectorAll("span")].find(({ textContent }) =>
            /[.]$/.test(textContent),
          )?.textContent ?? "",
      ),
    );

const isDrawn = (page: Page, events: () => Promise<Event[]>) =>
  eventually(
    async () => ({
      said: await sentences(page),
      line: lineOf(await events()).map(markSentence),
    }),
    ({ said, line }) => JSON.stringify(said) === JSON.stringify(line),
  );

const THREE = [
  "write a.txt one",
  "write a.txt two",
  "remember colour=teal\nwrite b.txt three",
];

test("[PAG-145] [PAG-146] [PAG-148] [PAG-150] [PAG-296] a rewind is shown, done and undone, and the line is the journal's", async (stage) => {
  const session = await begin(stage, ...THREE);
  const page = await stage.open(`/s/${session.id}`);
  await isDrawn(page, session.events);
  const before = await sentences(page);
  await page
    .getByRole("link", { name: "Rewind to here" })
    .or(line(page).getByRole("button", { name: /^Turn 1,/ }))
    .first()
    .focus();
  await page.getByRole("link", { name: "Rewind to here" }).click();
  await page.getByText("2 files change", { exact: true }).waitFor();
  await page
    .getByRole("navigation", { name: "Session" })
    .getByRole("link", { name: "Changes", exact: true })
    .and(page.locator("[aria-current=page]"))
    .waitFor();
  await page.getByText("1 goes back to what it was, 1 is removed.").waitFor();
  await page.getByText("Turns 2 and 3 are left behind").waitFor();
  await page.getByText("Demo remembers turn 1").waitFor();
  await page
    .getByText("What is there now is captured first, so this can be undone.")
    .waitFor();
  // The diff goes from what is there now to what the turn left.
  const diffs = page.getByRole("region", { name: "From now to turn 1" });
  await diffs.getByRole("region", { name: "a.txt" }).getByText("one").waitFor();
  const planned = await sentences(page);
  assert.equal(await readFile(session.file("a.txt"), "utf8"), "two");

  await page.getByRole("button", { name: "Rewind to turn 1" }).click();
  const notice = page
    .getByRole("status")
    .filter({ hasText: "Rewound to turn 1." });
  await notice.waitFor();
  assert.equal(await readFile(session.file("a.txt"), "utf8"), "one");
  await isDrawn(page, session.events);
  // The line that was shown before had the next prompt at its end.
  assert.deepEqual(planned.slice(0, -1), await sentences(page));

  await page.reload();
  await notice.getByRole("button", { name: "Undo" }).click();
  await page
    .getByRole("status")
    .filter({ hasText: "Rewound to turn 3." })
    .waitFor();
  assert.equal(await readFile(session.file("b.txt"), "utf8"), "three");
  await isDrawn(page, session.events);
  assert.deepEqual(
    (await sentences(page)).slice(0, before.length),
    before,
    "all turns are on the line again",
  );
  await session.say("recall colour");
  await page.getByText(/teal/).last().waitFor();
  await page.getByText(/^Rewound to turn 3\.$/).waitFor({ state: "detached" });
});

test("[PAG-365] what a rewind would do stays shown while it is done", async (stage) => {
  const session = await begin(stage, ...THREE);
  const page = await stage.open(`/s/${session.id}/rewind/1`);
  await page.getByText("2 files change", { exact: true }).waitFor();
  await page.getByText("Turns 2 and 3 are left behind").waitFor();
  const answered = Promise.withResolvers<void>();
  await page.route("**/rewind", async (route) => {
    const response = await route.fetch();
    await answered.promise;
    await route.fulfill({ response });
  });
  const shown = page.getByRole("region", { name: "Rewind to turn 1" });
  const facts = await shown.locator("dl").innerText();
  await page.getByRole("button", { name: "Rewind to turn 1" }).click();
  await eventually(session.events, (events) =>
    events.some(({ type }) => type === "session.rewound"),
  );
  // The page has heard of it.
  await page.getByText("Rewound to turn 1", { exact: false }).first().waitFor();
  assert.equal(await shown.locator("dl").innerText(), facts);
  await page.getByRole("button", { name: "Rewinding" }).waitFor();
  answered.resolve();
  await page
    .getByRole("status")
    .filter({ hasText: "Rewound to turn 1." })
    .waitFor();
});

test("[PAG-364] a fork that begins in a copy does not say that its directory was gone", async (stage) => {
  const session = await begin(stage, ...THREE);
  const { client } = stage.scene;
  const { id } = await client.forkSession(session.id, { turn: 2 });
  await client.queuePrompt(id, { text: "write c.txt four" });
  await eventually(
    () => client.showSession(id),
    ({ turn_count, state }) =>
      turn_count === 3 && state === "WAITING_FOR_INPUT",
  );
  const { resume } = await client.showSession(id);
  assert.equal(resume?.workspace, "restored");
  const page = await stage.open(`/s/${id}`);
  await page.getByText("c.txt").first().waitFor();
  assert.doesNotMatch(
    await page.locator("main").innerText(),
    /was gone|is back|are back/,
  );
});

test("[PAG-147] edits of a person are asked about, and files that others changed replace the button", async (stage) => {
  const session = await begin(stage, ...THREE);
  await writeFile(session.file("a.txt"), "by hand");
  const page = await stage.open(`/s/${session.id}/rewind/1`);
  await page.getByRole("region", { name: "Changed between turns" }).waitFor();
  await page
    .getByRole("list", { name: "Files that somebody changed" })
    .getByText("a.txt")
    .waitFor();
  await page
    .getByRole("button", { name: "Rewind, and leave that as it is" })
    .click();
  await page.getByText("Rewound to turn 1.", { exact: true }).waitFor();
  assert.equal(await readFile(session.file("a.txt"), "utf8"), "by hand");
  await assert.rejects(readFile(session.file("b.txt")), { code: "ENOENT" });

  // Two sessions in one directory: what the other one changed is not undone.
  const first = await begin(stage, "write shared.txt mine");
  await first.say("write shared.txt again");
  const { id } = await stage.scene.client.createSession({
    agent: "demo",
    cwd: first.cwd,
  });
  await stage.scene.client.queuePrompt(id, { text: "write shared.txt theirs" });
  await eventually(
    () => stage.scene.client.showSession(id),
    ({ checkpoint }) => checkpoint?.turn === 1 && checkpoint.kind === "turn",
  );
  await page.goto(`${stage.scene.server.url}/s/${first.id}/rewind/1`);
  const conflicts = page.getByRole("region", { name: "Conflicts" });
  await conflicts.getByText("shared.txt").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Rewind/ }).count(), 0);
  await page.getByRole("button", { name: "Fork from turn 1 instead" }).click();
  await eventually(
    () => Promise.resolve(page.url()),
    (url) => /\/s\/ses_\w+$/.test(url) && !url.includes(first.id),
  );
  const fork = page.url().split("/").at(-1) ?? "";
  const forked = await stage.scene.client.showSession(fork);
  assert.deepEqual(forked.parent, { session_id: first.id, turn: 1 });
});

test("[PAG-145] [PAG-149] a turn that runs, and one that was never captured, are told", async (stage) => {
  const session = await begin(stage, "write a.txt one", "write a.txt two");
  const page = await stage.open(`/s/${session.id}/rewind/9`);
  await page
    .getByRole("alert")
    .filter({ hasText: /turn 9/i })
    .waitFor();
  await page.goto(`${stage.scene.server.url}/s/${session.id}/rewind/1`);
  const button = page.getByRole("button", { name: "Rewind to turn 1" });
  await button.waitFor();
  await stage.scene.client.queuePrompt(session.id, { text: "ask may I" });
  await page.getByText("Rewind when turn 3 is over.").waitFor();
  assert.equal(await button.isDisabled(), true);
  stage.forgive(/404/);
});

test("[PAG-149] a fork, an export, a handoff and a pause that are refused are told in the server's words", async (stage) => {
  const session = await begin(stage, "write a.txt one");
  const page = await stage.open(`/s/${session.id}`);
  await page.getByText(/^Completed in/).waitFor();
  const refused = async (
    what: string,
    address: string,
    press: () => Promise<void>,
  ): Promise<void> => {
    const detail = `This ${what} is refused for a reason of its own.`;
    await page.route(address, (route) =>
      route.fulfill({
        status: 409,
        contentType: "application/problem+json",
        json: {
          type: "urn:reprise:problem:wrong_state",
          status: 409,
          code: "wrong_state",
          title: "Conflict",
          detail,
        },
      }),
    );
    await press();
    await page.getByRole("alert").filter({ hasText: detail }).waitFor();
    await page.unrouteAll();
    // A dialog that has just come may not listen yet.
    await eventually(
      async () => {
        await page.keyboard.press("Escape");
        return page.getByRole("dialog").count();
      },
      (open) => open === 0,
    );
  };
  const choose = async (item: RegExp): Promise<void> => {
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  const at = `**/api/sessions/${session.id}`;
  await refused("fork", `${at}/fork`, () => choose(/^Fork/));
  await refused("export", `${at}/export*`, () => choose(/^Export/));
  await refused("handoff", `${at}/handoff`, async () => {
    await choose(/^Hand off/);
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Demo/ })
      .first()
      .click();
  });
  await refused("pause", `${at}/pause`, () =>
    page.getByRole("button", { name: "Pause" }).click(),
  );
  stage.forgive(/409/);
});

test("[PAG-303] [PAG-304] a fork says where it comes from, and paths are told from the workspace they were in", async (stage) => {
  const { client } = stage.scene;
  const session = await begin(stage, "write notes.md hello");
  await session.say(`run cat ${session.file("notes.md")}`);
  const fork = await client.forkSession(session.id, { turn: 2 });
  assert.notEqual(fork.cwd, session.cwd);
  const page = await stage.open(`/s/${fork.id}`);
  const header = page.locator("main header");
  await header.getByText("Fork of Going back, after turn 2").waitFor();
  const messages = page.getByRole("region", { name: "Messages" });
  await messages.getByText("cat notes.md", { exact: true }).waitFor();
  await messages.getByText("notes.md", { exact: true }).first().waitFor();
  const titles = messages.locator("[data-row=tool] code");
  for (const title of await titles.allInnerTexts())
    assert.ok(!title.includes(session.cwd), title);
  assert.deepEqual(await axeFindings(page), []);
  await page.setViewportSize(PHONE);
  assert.deepEqual(await axeFindings(page), []);
  await header.getByRole("link", { name: "Going back" }).click();
  await page.waitForURL(`**/s/${session.id}`);
  await page.getByRole("heading", { name: "Going back" }).waitFor();
  await header.getByText("Fork of").waitFor({ state: "detached" });

  await client.deleteSession(session.id);
  await client.purgeSession(session.id);
  await page.goto(`${stage.scene.server.url}/s/${fork.id}`);
  await header
    .getByText("Fork of a session that was removed for good, after turn 2")
    .waitFor();
  stage.forgive(/404|410/);
});
