/** The workspace of a session as somebody looks through it: real files, a real repository, real processes. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { eventually, patience } from "../../src/kit/fixtures/patience.ts";
import { axeFindings } from "./fixtures/axe.ts";
import { pageTests, PHONE, type Stage } from "./fixtures/page-test.ts";
import { JUST_NOW } from "./fixtures/session-test.ts";

const test = pageTests();

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A repository with files, and a session whose second turn changed some of them. */
const begin = async ({ scene }: Stage) => {
  const { client, workspace } = scene;
  const git = (...args: string[]) =>
    execFileSync(
      "git",
      ["-c", "user.name=Ann", "-c", "user.email=a@b", ...args],
      {
        cwd: workspace,
      },
    );
  await mkdir(join(workspace, "src/retry"), { recursive: true });
  await writeFile(
    join(workspace, "src/retry/backoff.ts"),
    Array.from(
      { length: 60 },
      (_, at) => `export const a${at} = ${at};\n`,
    ).join(""),
  );
  await writeFile(join(workspace, "old.txt"), "old\n");
  await writeFile(join(workspace, ".hidden"), "hidden\n");
  await writeFile(join(workspace, "a #1%20?.txt"), "an odd name\n");
  await writeFile(join(workspace, "logo.png"), PNG);
  await writeFile(join(workspace, "data.bin"), Buffer.from([0, 1, 2, 255]));
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "The beginning");
  const { id } = await client.createSession({
    agent: "demo",
    name: "A workspace",
    cwd: workspace,
  });
  const say = async (text: string, turns: number): Promise<void> => {
    await client.queuePrompt(id, { text });
    await eventually(
      () => client.showSession(id),
      ({ checkpoint, state }) =>
        state === "WAITING_FOR_INPUT" &&
        checkpoint?.kind === "turn" &&
        checkpoint.turn === turns,
    );
  };
  await say("write one.txt first", 1);
  await say(
    "write src/retry/backoff.ts export const changed = 1;\nrun rm old.txt",
    2,
  );
  return { id, say, workspace, path: `/s/${id}/workspace` };
};

const tree = (page: Page) => page.getByRole("tree", { name: "Files" });
const item = (page: Page, name: string | RegExp) =>
  tree(page).getByRole("treeitem", { name });
const text = (page: Page, path: string) =>
  page.getByRole("region", { name: `Text of ${path}` });

test("[PAG-112] [PAG-113] [PAG-114] the tree, its marks, and a knot that says since when; by keyboard alone", async (stage) => {
  const session = await begin(stage);
  const page = await stage.open(session.path);
  await item(page, /old\.txt/).waitFor();
  await item(page, /one\.txt.*added/).waitFor();
  await item(page, /old\.txt.*deleted/).waitFor();
  await item(page, /^src.*with changes/).waitFor();
  await tree(page).focus();
  // The repository's own directory comes before it.
  for (const key of ["Home", "ArrowDown", "ArrowRight"])
    await page.keyboard.press(key);
  await item(page, /^retry/).waitFor();
  for (const key of ["ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
  await item(page, /backoff\.ts/).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await text(page, "src/retry/backoff.ts")
    .getByText("Changed:")
    .first()
    .waitFor();
  assert.match(page.url(), /\/workspace\/src\/retry\/backoff\.ts$/);
  // Behind turn 2 nothing changed; behind turn 1 what turn 2 did.
  const line = page.getByRole("complementary", {
    name: "The line of this session",
  });
  await line.getByRole("button", { name: /^Turn 2/ }).click();
  await item(page, /one\.txt.*added/).waitFor({ state: "detached" });
  await line.getByRole("button", { name: /^Turn 1/ }).click();
  await item(page, /old\.txt.*deleted/).waitFor();
  assert.equal(await item(page, /one\.txt.*added/).count(), 0);
  assert.match(page.url(), /since=1/);
  await page.getByRole("link", { name: "Diff since turn 1" }).click();
  await page.getByText("export const changed = 1;", { exact: true }).waitFor();
  await page.getByText("export const a59 = 59;").waitFor();
  await item(page, /old\.txt/).click();
  await page
    .getByRole("group", { name: "Changes in old.txt" })
    .getByText("old")
    .waitFor();
});

test("[PAG-111] [PAG-116] [PAG-118] [PAG-298] files are shown as what they are, and changes while somebody looks are told", async (stage) => {
  const session = await begin(stage);
  const page = await stage.open(session.path);
  await item(page, "logo.png").click();
  const picture = page.getByRole("img", { name: "logo.png" });
  await picture.waitFor();
  await eventually(
    () => picture.evaluate((it: HTMLImageElement) => it.naturalWidth),
    (width) => width === 1,
  );
  await item(page, "data.bin").click();
  await page.getByText("4 bytes. It is not shown as text.").waitFor();
  assert.match(
    (await page.getByRole("link", { name: "Download" }).getAttribute("href")) ??
      "",
    /\/files\/data\.bin$/,
  );
  await item(page, "a #1%20?.txt").click();
  await page.getByText("an odd name").waitFor();
  await page.reload();
  await page.getByText("an odd name").waitFor();
  await page.getByText(new RegExp(`^written ${JUST_NOW}$`)).waitFor();
  await writeFile(join(session.workspace, "a #1%20?.txt"), "another text\n");
  // Nobody tells what somebody else writes: the page looks every 15 s.
  const timeout = patience(60_000);
  await page
    .getByText("This file has changed since it was read.")
    .waitFor({ timeout });
  await page.getByText("an odd name").waitFor();
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByText("another text").waitFor();
  await rm(join(session.workspace, "a #1%20?.txt"));
  await page.getByText("This file is not there any more.").waitFor({ timeout });
  stage.forgive(/404/);
});

test("[PAG-236] what the agent changes is told by its tool calls, while its turn goes on and without a timer", async (stage) => {
  const session = await begin(stage);
  const browser = await stage.browser();
  await browser.addInitScript(() => {
    const everyMs = globalThis.setInterval;
    Object.assign(globalThis, {
      setInterval: (work: () => void, ms = 0) =>
        ms >= 10_000 ? 0 : everyMs(work, ms),
    });
  });
  const page = await browser.newPage();
  await page.goto(stage.link(session.path));
  await item(page, "a #1%20?.txt").click();
  await page.getByText("an odd name").waitFor();
  const latch = stage.scene.house.latch();
  await stage.scene.client.queuePrompt(session.id, {
    text: `run echo new > "a #1%20?.txt"; echo > come.txt\nrun ${latch.wait}`,
  });
  await page.getByText("This file has changed since it was read.").waitFor();
  await item(page, /come\.txt/).waitFor();
  latch.open();
});

test("[PAG-110] [PAG-119] [PAG-120] search and git work while no agent runs", async (stage) => {
  const session = await begin(stage);
  const { client } = stage.scene;
  await client.pauseSession(session.id);
  await eventually(
    () => client.showSession(session.id),
    ({ state }) => state === "PAUSED",
  );
  await writeFile(
    join(session.workspace, "long.txt"),
    Array.from({ length: 400 }, (_, at) => `line ${at + 1}\n`).join(""),
  );
  const page = await stage.open(session.path);
  await page.getByRole("tab", { name: "Search" }).click();
  const field = page.getByRole("searchbox", { name: "Search in files" });
  await field.fill("LINE 3[0-9]9$");
  await page.getByText("Nothing found").waitFor();
  await page.getByRole("button", { name: "Regex" }).click();
  await field.fill("line 3[0-9]9$");
  await page.getByText("10 lines in 1 file").waitFor();
  await page.getByRole("link", { name: /line 349/ }).click();
  await text(page, "long.txt")
    .getByText(/line 349$/)
    .waitFor();
  assert.match(page.url(), /line=349/);
  assert.equal(await field.inputValue(), "line 3[0-9]9$");
  await page.getByRole("tab", { name: "git" }).click();
  const side = page.getByRole("region", { name: "Look through the workspace" });
  await side.getByText("main", { exact: true }).waitFor();
  await side.getByText("The beginning", { exact: true }).last().waitFor();
  await side
    .getByRole("region", { name: "Untracked" })
    .getByText("long.txt")
    .waitFor();
  await side.getByRole("link", { name: /backoff\.ts/ }).click();
  await page.getByText("since the last commit", { exact: true }).waitFor();
  await page.getByText("export const changed = 1;", { exact: true }).waitFor();
});

test("[PAG-121] a process is ended after a question, and the agent is not", async (stage) => {
  const session = await begin(stage);
  await session.say("run (setsid sleep 4321 >/dev/null 2>&1 &)", 3);
  const page = await stage.open(session.path);
  await page.getByRole("tab", { name: /Processes/ }).click();
  const end = page.getByRole("button", { name: "End sleep 4321" });
  await end.click();
  await page.getByRole("button", { name: "Keep it" }).press("Escape");
  await eventually(
    () => end.evaluate((it) => it === document.activeElement),
    Boolean,
  );
  assert.ok(
    await page
      .getByRole("listitem")
      .filter({ hasText: "the agent itself" })
      .first()
      .getByRole("button")
      .isDisabled(),
  );
  await end.click();
  await page.getByRole("button", { name: "End process" }).click();
  await end.waitFor({ state: "detached" });
});

test("[PAG-16] [PAG-122] axe finds nothing: light, dark, and on a phone, where files are pages", async (stage) => {
  const session = await begin(stage);
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await stage.open(`${session.path}/src/retry/backoff.ts`, {
      colorScheme,
      viewport: { width: 1440, height: 900 },
    });
    await item(page, /backoff\.ts.*changed/).waitFor();
    await text(page, "src/retry/backoff.ts").waitFor();
    await page.getByRole("tab", { name: /Processes/ }).click();
    await page.getByRole("list", { name: "Processes" }).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await page.getByRole("tab", { name: "Search" }).click();
    await page
      .getByRole("searchbox", { name: "Search in files" })
      .fill("const");
    await page.getByText(/^\d+ lines? in/).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await page.getByRole("tab", { name: "git" }).click();
    await page.getByText("The beginning").last().waitFor();
    assert.deepEqual(await axeFindings(page), []);
  }
  const phone = await stage.open(session.path, { viewport: PHONE });
  await item(phone, /one\.txt/).waitFor();
  assert.deepEqual(await axeFindings(phone), []);
  await item(phone, /one\.txt/).click();
  await text(phone, "one.txt").waitFor();
  assert.equal(await tree(phone).isVisible(), false);
  assert.deepEqual(await axeFindings(phone), []);
  assert.equal(
    await phone.evaluate(
      () => document.documentElement.scrollWidth > innerWidth,
    ),
    false,
  );
  await phone.getByRole("link", { name: "Back to the files" }).click();
  await tree(phone).waitFor();
});
