/** Notices of the browser: asked for by a click, told once over several tabs, and really shown. */
import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { pageTests, type Stage } from "./fixtures/page-test.ts";

const test = pageTests();

/** Notices that the tabs of a browser gave to it. */
const noticing = async (stage: Stage): Promise<BrowserContext> => {
  const context = await stage.browser();
  await context.addInitScript(() => {
    const told: string[] = [];
    class Recorded extends EventTarget {
      static permission = "default";
      static requestPermission(): Promise<string> {
        Recorded.permission = "granted";
        return Promise.resolve("granted");
      }
      constructor(title: string) {
        super();
        told.push(title);
      }
    }
    Object.assign(globalThis, { Notification: Recorded, told });
  });
  return context;
};

const toldIn = (page: Page): Promise<string[]> =>
  // @ts-expect-error -- the script before the page has put it there.
  page.evaluate(() => globalThis.told);

test("[PAG-172] [PAG-173] notices are asked for by a click, and told once over two tabs", async (stage) => {
  const { client, workspace } = stage.scene;
  const context = await noticing(stage);
  const one = await context.newPage();
  await one.goto(stage.link("/settings"));
  await one.getByRole("button", { name: "Allow notices" }).click();
  await one.getByRole("button", { name: "Show a test notice" }).click();
  await one.getByText("It was given to the browser").waitFor();
  assert.deepEqual((await toldIn(one)).splice(0), ["Reprise"]);
  await context.addInitScript(() => {
    Object.assign(Notification, { permission: "granted" });
  });
  const two = await context.newPage();
  await two.goto(stage.scene.server.url);
  await two.getByRole("navigation").first().waitFor();

  const asks = async (name: string) => {
    const { id } = await client.createSession({
      agent: "demo",
      name,
      cwd: workspace,
    });
    return { id, ask: () => client.queuePrompt(id, { text: "ask May I?" }) };
  };
  const told = async (...pages: Page[]) =>
    (await Promise.all(pages.map(toldIn))).flat();
  const toldOf = (name: string, ...pages: Page[]) =>
    eventually(
      () => told(...pages),
      (titles) => titles.includes(name),
    );
  await (await asks("First")).ask();
  await toldOf("First", one, two);
  await (await asks("Second")).ask();
  assert.deepEqual(
    (await toldOf("Second", one, two)).filter((title) => title !== "Reprise"),
    ["First", "Second"],
  );
  // Who spoke is closed: the other one takes its place.
  assert.deepEqual(await told(two), []);
  await one.close();
  const shown = await asks("On the screen");
  const three = await context.newPage();
  await three.goto(`${stage.scene.server.url}/s/${shown.id}`);
  await three.getByRole("textbox", { name: "Prompt" }).waitFor();
  await shown.ask();
  await three.getByText("May I?").first().waitFor();
  await (await asks("Third")).ask();
  assert.deepEqual(await toldOf("Third", two, three), ["Third"]);
});

test("[PAG-172] [PAG-173] a browser that permits notices really shows them, and a click leads to the session", async (stage) => {
  const { client, workspace } = stage.scene;
  const context = await stage.browser();
  await context.grantPermissions(["notifications"], {
    origin: stage.scene.server.url,
  });
  // The browser's own notices: what it has shown is kept, so that the test can press it.
  await context.addInitScript(() => {
    const shown: Notification[] = [];
    class Kept extends Notification {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        this.addEventListener("show", () => shown.push(this));
      }
    }
    Object.assign(globalThis, { Notification: Kept, shown });
  });
  const page = await context.newPage();
  await page.goto(stage.link("/settings"));
  const titles = () =>
    page.evaluate(() =>
      // @ts-expect-error -- the script before the page has put it there.
      globalThis.shown.map(({ title }: Notification) => title),
    );
  await page.getByRole("button", { name: "Show a test notice" }).click();
  await eventually(titles, (all) => all.join() === "Reprise");
  const { id } = await client.createSession({
    agent: "demo",
    name: "It asks",
    cwd: workspace,
  });
  await client.queuePrompt(id, { text: "ask May I?" });
  await eventually(titles, (all) => all.join() === "Reprise,It asks");
  await page.evaluate(() =>
    // @ts-expect-error -- as above.
    globalThis.shown.at(-1).dispatchEvent(new Event("click")),
  );
  await page.waitForURL((url) => url.pathname === `/s/${id}`);
});
