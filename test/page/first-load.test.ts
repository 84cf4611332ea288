/** What a browser really loads until somebody sees what they came for, and the page rests. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { pageTests } from "./fixtures/page-test.ts";
import {
  beginSession,
  box,
  conversationSays,
  findServer,
  GONE,
  startAgain,
} from "./fixtures/session-test.ts";

const test = pageTests();

const MOST = 150_000;

/** The sizes of all scripts that are answered from now on, compressed, by their paths. */
const scriptsOf = (page: Page): (() => Promise<Map<string, number>>) => {
  const answers: Promise<[path: string, size: number]>[] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.endsWith(".js"))
      answers.push(
        response
          .body()
          .then((body) => [pathname, gzipSync(body, { level: 9 }).length]),
      );
  });
  return async () => {
    await page.waitForLoadState("networkidle");
    return new Map(await Promise.all(answers));
  };
};

const assertFew = (scripts: ReadonlyMap<string, number>): void => {
  assert.ok(scripts.size > 1);
  const sum = [...scripts.values()].reduce((all, size) => all + size, 0);
  const told = JSON.stringify([...scripts]);
  assert.ok(sum <= MOST, `${sum} bytes: ${told}`);
};

test("[PAG-216] what is loaded until a conversation is shown and the page rests is at most 150 kB of scripts", async (stage) => {
  const session = await beginSession(stage.scene);
  await session.say("count 12 0");
  await session.isQuiet();
  const page = await stage.open("/settings");
  await page.waitForLoadState("networkidle");
  // Another page, so that nothing of it is loaded yet; this browser is signed in by now.
  const opened = await page.context().newPage();
  const scripts = scriptsOf(opened);
  await opened.goto(`${stage.scene.server.url}${session.path}`);
  await conversationSays(opened, /\b12\b/);
  await box(opened).waitFor();
  assertFew(await scripts());
});

/** Beyond so many marks a line is folded. */
const LONG_LINE = 62;

test("[PAG-360] the same holds for a session with calls of tools, a long line and a question that was answered", async (stage) => {
  const { client, workspace } = stage.scene;
  const session = await beginSession(stage.scene);
  await writeFile(join(workspace, "notes.md"), "one\ntwo\n");
  for (let turn = 1; turn < LONG_LINE; turn += 1)
    await session.say(`count ${turn} 0`);
  await session.isQuiet();
  await session.say(
    "ask-write notes.md three\nrun cat notes.md\nwrite a.txt hello\n",
  );
  await session.until(({ type }) => type === "session.permission.requested");
  const [asked] = (await session.show()).pending_permissions;
  const allow = asked?.options.find(({ kind }) => kind === "allow_once");
  await client.answerPermission(session.id, asked?.id ?? "", allow?.id ?? "");
  await session.isQuiet();
  const page = await stage.open("/settings");
  await page.waitForLoadState("networkidle");
  const opened = await page.context().newPage();
  const scripts = scriptsOf(opened);
  await opened.goto(`${stage.scene.server.url}${session.path}`);
  await conversationSays(opened, /a\.txt/);
  await opened
    .getByRole("button", { name: /^Show turns 1 to/ })
    .first()
    .waitFor();
  await box(opened).waitFor();
  const loaded = await scripts();
  // What reads the diff that is in sight came with it.
  const reader = [...loaded.keys()].filter((path) =>
    /diff\.worker-/.test(path),
  );
  assert.equal(reader.length, 1);
  reader.forEach((path) => loaded.delete(path));
  assertFew(loaded);
});

test("[PAG-13] what is loaded until Home is shown and the page rests is at most 150 kB of scripts", async (stage) => {
  await beginSession(stage.scene);
  // Signing in loads the page twice, and of the first time nothing can be read any more.
  const signedIn = await stage.open("/settings");
  const page = await signedIn.context().newPage();
  const scripts = scriptsOf(page);
  await page.goto(stage.scene.server.url);
  await page.getByRole("heading", { name: "Home" }).waitFor();
  assertFew(await scripts());
});

test("[PAG-221] a server of another release is told when it is back, and loading again is offered", async (stage) => {
  const { scene } = stage;
  const session = await beginSession(scene);
  const page = await stage.open(session.path);
  const said = page.getByText(/The server is now Reprise 99\.0\.0/);
  await page.route("**/health", (route) =>
    route.fulfill({ json: { status: "ok", version: "99.0.0" } }),
  );
  await box(page).fill("not sent yet");
  const { url } = scene.server;
  await scene.server.kill();
  await startAgain(scene, url);
  await findServer(page);
  await said.waitFor();
  await page.unroute("**/health");
  await page.getByRole("button", { name: "Load again" }).click();
  await said.waitFor({ state: "detached" });
  assert.equal(await box(page).inputValue(), "not sent yet");
  stage.forgive(GONE);
});

test("[PAG-222] Home and a session are there at once, without a word that they are loading", async (stage) => {
  const session = await beginSession(stage.scene);
  await session.say("count 3 0");
  await session.isQuiet();
  const signedIn = await stage.open("/settings");
  const page = await signedIn.context().newPage();
  await page.addInitScript(() => {
    const seen = new Set<string>();
    Object.assign(window, { seen });
    new MutationObserver(() => {
      seen.add(document.querySelector("main")?.textContent ?? "");
    }).observe(document, { childList: true, subtree: true });
  });
  const seen = (): Promise<string[]> =>
    page.evaluate(() => [...Reflect.get(window, "seen")]);
  for (const [path, shown] of [
    ["/", page.getByRole("heading", { name: "Home" })],
    [session.path, box(page)],
  ] as const) {
    await page.goto(`${stage.scene.server.url}${path}`);
    await shown.waitFor();
    const texts = await seen();
    assert.ok(texts.some((text) => text !== ""));
    assert.ok(!texts.includes("Loading"), path);
  }
});

test("[PAG-285] another screen is shown when its code is there, and nothing that is loading before", async (stage) => {
  const session = await beginSession(stage.scene);
  const page = await stage.open("/");
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const heading = document.querySelector("main h1")?.textContent ?? "";
      if (seen.at(-1) !== heading) seen.push(heading);
    }).observe(document, { childList: true, subtree: true });
  });
  const seen = (): Promise<string[]> =>
    page.evaluate(() => Reflect.get(window, "seen"));
  /** Scripts with this name are not answered until the function is called. */
  const hold = async (name: string): Promise<() => void> => {
    const held = Promise.withResolvers<void>();
    await page.route(`**/${name}-*.js`, async (route) => {
      await held.promise;
      await route.continue();
    });
    return held.resolve;
  };
  const nav = page.getByRole("navigation", { name: "Main" });
  const fetching = page.locator("html[data-fetching]");

  const release = await hold("settings");
  await nav.getByRole("link", { name: "Settings" }).click();
  await fetching.waitFor({ state: "attached" });
  assert.equal(new URL(page.url()).pathname, "/");
  await page.getByRole("heading", { name: "Home" }).waitFor();
  release();
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  await fetching.waitFor({ state: "detached" });

  const releaseAgents = await hold("agents-screen");
  await nav.getByRole("link", { name: "Agents" }).click();
  await fetching.waitFor({ state: "attached" });
  await nav.getByRole("link", { name: "Trash" }).click();
  await page.getByRole("heading", { name: "Trash", level: 1 }).waitFor();
  const answered = page.waitForResponse(/agents-screen-/);
  releaseAgents();
  await (await answered).finished();
  assert.deepEqual(await seen(), ["Home", "Settings", "Trash"]);

  await nav.locator(`a[href="${session.path}"]`).click();
  await box(page).waitFor();
  const releaseWorkspace = await hold("workspace");
  await page.getByRole("link", { name: "Workspace" }).click();
  await fetching.waitFor({ state: "attached" });
  assert.equal(await box(page).isVisible(), true);
  releaseWorkspace();
  await page.getByRole("tree").waitFor();
  assert.ok(!(await seen()).includes("Agents"));
});
