/**
 * axe on every screen, and on a session in each state of PAG-30. The states come from the table that the words are tested with:
 * what the server answers is changed on its way, so that sixteen states take seconds. Each is shown once and looked at in three
 * ways. That the states come about by themselves is in `standing.test.ts`.
 */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { aSession, aStatus, NOW } from "../../web/src/fixtures/samples.ts";
import { table } from "../../web/src/words/fixtures/standing-table.ts";
import type {
  StandingFacts,
  StandingKind,
} from "../../web/src/words/standing.ts";
import { findsNothing } from "./fixtures/every-look.ts";
import { pageTests, type Stage } from "./fixtures/page-test.ts";
import {
  bandWords,
  beginSession,
  box,
  GONE,
  permission,
} from "./fixtures/session-test.ts";

const test = pageTests({ auto_resume: false });

const DESK = { width: 1280, height: 800 };

const openDesk = (stage: Stage, path: string): Promise<Page> =>
  stage.open(path, { viewport: DESK, reducedMotion: "reduce" });

/** The first row of the table for each kind that follows from what the server answers alone. */
const rows = new Map<
  StandingKind,
  { facts: Partial<StandingFacts>; said: string }
>();
for (const [, kind, facts, said] of table)
  if (
    !rows.has(kind) &&
    Object.keys(facts).every((key) => key === "session" || key === "status")
  )
    rows.set(kind, { facts, said });

test("[PAG-261] [PAG-16] axe finds nothing in any state of a session, light, dark and at 390 px", async (stage) => {
  const { scene } = stage;
  const session = await beginSession(scene, { name: "In every state" });
  await session.say("write a.txt one\nremember colour=teal");
  await session.isQuiet();
  const { last_seq, cwd } = await session.show();
  const page = await openDesk(stage, "/");
  await page.clock.setFixedTime(NOW);
  let facts: Partial<StandingFacts> = {};
  const answers = (path: string, answer: () => object) =>
    page.route(path, (route) =>
      route.request().method() === "GET"
        ? route.fulfill({ json: answer() })
        : route.continue(),
    );
  const { id } = session;
  await answers(`**/api/sessions/${id}`, () => ({
    ...(facts.session ?? aSession()),
    id,
    last_seq,
    cwd,
  }));
  await answers(`**/api/sessions/${id}/status`, () => ({
    ...(facts.status ?? aStatus()),
    session_id: id,
  }));
  const open = async (): Promise<void> => {
    await page.getByRole("link", { name: "Home" }).first().click();
    await page.getByRole("heading", { name: "Home" }).waitFor();
    await page.getByRole("link", { name: "In every state" }).first().click();
    await page.getByText("I wrote a.txt").waitFor();
  };
  const stands = (
    kind: StandingKind,
    words: string | RegExp,
  ): Promise<unknown> =>
    eventually(
      async () => `${kind}: ${await bandWords(page)}`,
      (said) =>
        typeof words === "string"
          ? said === `${kind}: ${words}`
          : words.test(said),
      20_000,
    );
  for (const [kind, { facts: these, said }] of rows) {
    facts = these;
    await open();
    await stands(kind, wordsOf(said));
    await findsNothing(page, kind);
  }
  // The two that follow from what happens to the page itself.
  facts = {};
  await open();
  await page.route("**/api/sessions/*/prompts", (route) =>
    route.fulfill({ status: 507, json: FULL }),
  );
  await box(page).fill("remember this");
  await box(page).press("Enter");
  await stands("disk_full", /The disk is full\./);
  await findsNothing(page, "disk_full");
  await page.clock.resume();
  await scene.server.kill();
  await stands("away", /The server is away\./);
  await findsNothing(page, "away");
  assert.deepEqual(
    [...rows.keys(), "away", "disk_full"].sort(),
    [...new Set(table.map(([, kind]) => kind))].sort(),
  );
  stage.forgive(GONE);
  stage.forgive(/507/);
});

const FULL = {
  type: "urn:reprise:problem:storage_full",
  status: 507,
  code: "storage_full",
  title: "Insufficient Storage",
  detail: "The disk is nearly full.",
};

/** The table says in brackets what the button beside the box does, and calls the agent by another name. */
const wordsOf = (said: string): string =>
  said.replace(/ \([^(]+\)$/, "").replaceAll("Claude Code", "Demo");

test("[PAG-261] [PAG-15] [PAG-16] axe finds nothing on any screen, light, dark and at 390 px, and nothing sticks out there", async (stage) => {
  const { client, workspace } = stage.scene;
  const session = await beginSession(stage.scene, { name: "On every screen" });
  await session.say(
    "write src/a.ts const a = 1;\nrun echo hello\n\n# Heading\n\n- a\n\n| a | b |\n|---|---|\n| c | d |",
  );
  await session.isQuiet();
  await session.say("ask May I?");
  const calm = await beginSession(stage.scene, { name: "With changes" });
  for (const text of ["write a.txt one", "write a.txt two"])
    await calm.say(text);
  await calm.isQuiet();
  await session.until(({ type }) => type === "session.permission.requested");
  const task = await client.createTask({
    title: "A task with a title that is longer than a phone is wide",
    description: "write b.txt hello",
    agent: "demo",
    cwd: workspace,
    run: true,
  });
  await eventually(
    () => client.showTask(task.id),
    ({ state }) => state === "REVIEW",
  );
  const gone = await beginSession(stage.scene, { name: "In the trash" });
  await client.endSession(gone.id);
  await client.deleteSession(gone.id);

  const page = await openDesk(stage, "/");
  const { url } = stage.scene.server;
  const heading = (name: string | RegExp) =>
    page.getByRole("heading", { name });
  const screens: [path: string, isThere: Locator][] = [
    ["/", heading("Needs you")],
    ["/new", page.getByRole("radio").first()],
    [session.path, permission(page)],
    [`${calm.path}/changes`, page.getByRole("region", { name: "Diffs" })],
    [`${calm.path}/rewind/1`, heading("Rewind to turn 1")],
    [`${calm.path}/workspace/a.txt`, page.getByText("Download")],
    ["/tasks", heading(/^Review/)],
    ["/tasks/new", heading("New task")],
    [`/tasks/${task.id}`, heading("Attempts")],
    ["/agents", page.getByRole("row", { name: /With changes/ })],
    ["/settings", page.getByText("Checkpoints in all")],
    ["/trash", page.getByRole("button", { name: "Take it out" })],
    [
      "/tasks/tsk_00000000000000000000000000",
      page.getByText("There is no such task"),
    ],
    [
      "/s/ses_00000000000000000000000000",
      page.getByText("There is no such session"),
    ],
  ];
  for (const [path, isThere] of screens) {
    await page.goto(`${url}${path}`);
    await isThere.first().waitFor();
    await findsNothing(page, path);
  }
  await page.goto(`${url}${session.path}`);
  await permission(page).waitFor();
  for (const [keys, what] of [
    ["Control+k", "the palette"],
    ["?", "all keys"],
  ] as const) {
    await page.keyboard.press(keys);
    await page.getByRole("dialog").waitFor();
    await findsNothing(page, what);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  await page.context().clearCookies();
  await page.reload();
  await page.getByText("reprise open").waitFor();
  await findsNothing(page, "where nobody is signed in");
  // The page may still ask for something before it is loaded again.
  stage.forgive(/401|WebSocket/);
  stage.forgive(/404|400/);
});
