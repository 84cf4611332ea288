/** What the rows of Home and the foot of a turn say. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { axeFindings } from "./fixtures/axe.ts";
import { pageTests } from "./fixtures/page-test.ts";
import { pressIfThere } from "./fixtures/press-if-there.ts";
import { beginSession, messages, oneLine } from "./fixtures/session-test.ts";

const test = pageTests({ auto_resume: false });

const WIDE = { width: 1440, height: 900 };

/** Waits until this part of Home says it. */
const homeSays = (part: Locator, words: RegExp) =>
  eventually(
    async () => oneLine(await part.innerText()),
    (said) => words.test(said),
    20_000,
  );

test("[PAG-231] Home says how many lines a session changed, and the foot of a turn has single spaces", async (stage) => {
  const session = await beginSession(stage.scene, { checkpoints: true });
  await session.say("write a.txt one");
  await session.isQuiet();
  await session.isCaptured(1);
  const page = await stage.open();
  await homeSays(page.getByRole("main"), /\+1\b/);
  await session.say("remember a=b");
  await session.isQuiet();
  await page.goto(`${stage.scene.server.url}${session.path}`);
  const feet = messages(page)
    .getByText(/^Completed in/)
    .locator("..");
  await eventually(
    async () => (await feet.allTextContents()).join(" | "),
    (said) =>
      /1 file \+1\s*captured/.test(said) && /no change\s*captured/.test(said),
  );
  // An empty part would stand between two spaces.
  assert.equal(await feet.locator("span:empty").count(), 0);
});

test("[PAG-299] [PAG-300] a narrower window keeps names on Home, and a session's line begins folded there", async (stage) => {
  const session = await beginSession(stage.scene, { name: "A name" });
  const page = await stage.open("/", { viewport: WIDE });
  const name = page.getByRole("main").getByText("A name", { exact: true });
  for (const width of [1440, 1281, 1101, 1024, 941, 800, 761, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await eventually(
      async () => ({ width, box: await name.boundingBox() }),
      ({ box }) => (box?.width ?? 0) >= 180,
      20_000,
    );
  }
  const { url } = stage.scene.server;
  for (const [width, button] of [
    [1024, "Unfold the line"],
    [1101, "Fold the line"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${url}${session.path}`);
    await page.getByRole("button", { name: button, exact: true }).waitFor();
    const { width: prompt = 0 } =
      (await page.getByRole("textbox", { name: "Prompt" }).boundingBox()) ?? {};
    assert.ok(prompt > 150, `${prompt} px at ${width}`);
  }
});

test("[PAG-232] [PAG-233] [PAG-309] [PAG-368] Home says how a turn was cut off, and until when a session waits for its quota", async (stage) => {
  const { scene } = stage;
  const cut = await beginSession(scene, { name: "Alpha" });
  const latch = scene.house.latch();
  await cut.say(`write a.txt kept\nrun ${latch.wait}`);
  await cut.until(({ type }) => type === "session.tool.updated");
  await cut.killAgent();
  const goesOn = await beginSession(scene, {
    name: "Gamma",
    on_quota: "continue",
  });
  await goesOn.say("quota 3600");
  await goesOn.until(({ type }) => type === "session.turn.interrupted");
  const waits = await beginSession(scene, { name: "Beta" });
  await waits.say("quota 3600");
  await waits.until(({ type }) => type === "session.turn.interrupted");

  const page = await stage.open();
  const row = (name: string) =>
    page.getByRole("main").locator("[data-row]").filter({ hasText: name });
  await homeSays(
    row("Alpha"),
    /Turn 1 was cut off: the agent was killed by SIGKILL/,
  );
  const until = String.raw`Quota used up until (tomorrow at )?\d\d:\d\d`;
  await homeSays(
    row("Beta"),
    new RegExp(`${until}.*turn 1 waits for your word`),
  );
  await homeSays(
    row("Gamma"),
    new RegExp(`${until}.*turn 1 goes on by itself then`),
  );
  // [PAG-309] The same as in the session, by the same names.
  for (const name of ["Beta", "Gamma"])
    assert.deepEqual(await row(name).getByRole("button").allInnerTexts(), [
      "Drop it",
      "Go on now",
    ]);
  for (const name of ["Beta", "Gamma"])
    assert.doesNotMatch(await row(name).innerText(), /cut off/i);
  assert.deepEqual(await axeFindings(page), []);
  await page.goto(`${scene.server.url}${waits.path}`);
  const notice = page.getByText(/It is filled again/);
  await notice.waitFor();
  assert.match(
    await notice.innerText(),
    /It is filled again (at|tomorrow at) \d\d:\d\d\.$/,
  );
  const band = page.getByRole("region", { name: "Where the session stands" });
  assert.deepEqual(await band.getByRole("button").allInnerTexts(), [
    "Go on now",
    "Drop it",
  ]);
  await page.goto(scene.server.url);
  await homeSays(row("Beta"), /Quota used up/);
  // Its buttons do nothing in the first half second.
  await eventually(
    async () => {
      await pressIfThere(row("Beta").getByRole("button", { name: "Drop it" }));
      return (await waits.show()).unresolved_prompts.length;
    },
    (left) => left === 0,
  );
});
