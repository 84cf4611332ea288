/** Terminals on the page: typing, several of them, reloads, servers and daemons that die, hostile output. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { axeFindings } from "./fixtures/axe.ts";
import { pageTests, PHONE, type Stage } from "./fixtures/page-test.ts";
import { GONE } from "./fixtures/session-test.ts";
import {
  hasFocus,
  isAttached,
  openPanel,
  openTerminal,
  rows,
  screen,
  showPanel,
  type,
  untilSeen,
} from "./fixtures/terminal-test.ts";

const pageTest = pageTests();

/** With a session whose shells are closed at the end: they would outlive the server and agentctl. */
const test = (
  name: string,
  run: (stage: Stage, id: string) => Promise<void>,
): void =>
  pageTest(name, async (stage) => {
    const { id } = await stage.scene.client.createSession({
      agent: "demo",
      name: "Terminals",
      cwd: stage.scene.workspace,
    });
    try {
      await run(stage, id);
    } finally {
      const { client } = stage.scene;
      for (const shell of (await client.listShells(id)).shells)
        await client.closeShell(id, shell.id);
    }
  });

/** The pointer is over the rows of xterm.js, and never on them. */
const OVER = { force: true };

test("[PAG-130] [PAG-131] a terminal opens in the workspace, takes keys, and fits its place", async (stage, id) => {
  await writeFile(join(stage.scene.workspace, "here.txt"), "");
  const page = await openPanel(stage, id, {
    viewport: { width: 1800, height: 900 },
  });
  await openTerminal(page);
  // What is typed next goes into it, and not to the keys of the page.
  await hasFocus(page);
  await type(page, "PS1='$ '; ls; echo si''ze $(stty size)");
  await untilSeen(page, /here\.txt/);
  const { shells } = await stage.scene.client.listShells(id);
  assert.equal(shells.length, 1);
  await eventually(
    async () => (await stage.scene.client.listShells(id)).shells[0]?.cols ?? 0,
    (cols) => cols > 100,
  );
  await page.setViewportSize({ width: 900, height: 600 });
  await eventually(
    async () => (await stage.scene.client.listShells(id)).shells[0]?.cols ?? 0,
    (cols) => cols < 100,
  );
  // It may be told a size more than once while the page is laid out.
  await eventually(
    async () => {
      await type(page, "clear; echo si''ze $(stty size)");
      await untilSeen(page, /^size \d+ \d+$/m);
      const [shell] = (await stage.scene.client.listShells(id)).shells;
      const size = `size ${shell?.rows} ${shell?.cols}`;
      return { size, lines: (await screen(page)).split("\n") };
    },
    ({ size, lines }) => lines.includes(size),
  );
});

test("[PAG-132] shells are tabs: named by their titles, closed at once, or after a question where something runs", async (stage, id) => {
  const page = await openPanel(stage, id);
  await openTerminal(page);
  await type(page, "PS1='$ '; printf '\\033]0;first\\007'; echo o''ne");
  await untilSeen(page, /^one$/m);
  await page.getByRole("tab", { name: /^first/ }).waitFor();
  await page.getByRole("button", { name: "New terminal" }).click();
  await eventually(
    () =>
      page
        .getByRole("tablist", { name: "Terminals", exact: true })
        .getByRole("tab")
        .count(),
    (count) => count === 2,
  );
  await isAttached(page);
  await hasFocus(page);
  await type(page, "PS1='$ '; printf '\\033]0;second\\007'; sleep 1000");
  await page.getByRole("tab", { name: /^second/ }).waitFor();
  // By keyboard: out of the terminal, to the other one, and its screen is there.
  await page.keyboard.press("Shift+F6");
  await page.keyboard.press("ArrowLeft");
  await untilSeen(page, /^one$/m);
  await page.keyboard.press("ArrowRight");
  await isAttached(page);
  await eventually(
    async () =>
      (await stage.scene.client.listProcesses(id)).processes.some(
        ({ command }) => command.startsWith("sleep 1000"),
      ),
    (runs) => runs,
  );
  await page.getByRole("button", { name: "Close second" }).click();
  const question = page.getByRole("dialog", { name: "Close second?" });
  await question.getByText(/sleep still runs in it/).waitFor();
  await question.getByRole("button", { name: "Keep it" }).click();
  await page.getByRole("button", { name: "Close second" }).click();
  await question.getByRole("button", { name: "Close terminal" }).click();
  await page
    .getByRole("tab", { name: /^second/ })
    .waitFor({ state: "detached" });
  await untilSeen(page, /^one$/m);
  await page.getByRole("button", { name: "Close first" }).click();
  await page.getByText("No terminal is open").waitFor();
  assert.deepEqual((await stage.scene.client.listShells(id)).shells, []);
});

test("[PAG-133] a terminal is the same after a reload, and after the server and agentctl were killed", async (stage, id) => {
  const port = new URL(stage.scene.server.url).port;
  const page = await openPanel(stage, id);
  await openTerminal(page);
  await type(
    page,
    "PS1='$ '; clear; n=0; count() { n=$((n+1)); echo co''unted $n; }",
  );
  await type(page, "count");
  await untilSeen(page, /^counted 1\n\$$/m);
  const before = await screen(page);
  await page.reload();
  await showPanel(page);
  await isAttached(page);
  await eventually(
    () => screen(page),
    (text) => text === before,
  );
  await stage.scene.server.kill();
  await page.getByText(/^Not connected\./).waitFor();
  await stage.scene.up("--port", port);
  await isAttached(page);
  await eventually(
    () => screen(page),
    (text) => text === before,
  );
  await type(page, "count");
  await untilSeen(page, /^counted 2$/m);
  await stage.scene.house.killAgentctl();
  await page.locator("[data-shell][data-attached=false]").waitFor();
  await isAttached(page);
  await type(page, "count");
  await untilSeen(page, /^counted 3$/m);
  assert.match(
    await screen(page),
    /^counted 1\n\$ count\ncounted 2\n\$ count\ncounted 3$/m,
  );
  stage.forgive(GONE);
  stage.forgive(/50[0-9]/);
});

test("[PAG-134] a shell that ended says so with its exit code, and can be opened again", async (stage, id) => {
  const page = await openPanel(stage, id);
  await openTerminal(page);
  await type(page, "exit 3");
  await page.getByText("The shell ended with exit code 3.").waitFor();
  await page.reload();
  await showPanel(page);
  await page.getByText("The shell ended with exit code 3.").waitFor();
  await untilSeen(page, /exit 3/);
  await page.getByRole("button", { name: "Open again" }).click();
  await page
    .getByText("The shell ended with exit code 3.")
    .waitFor({ state: "detached" });
  await isAttached(page);
  await type(page, "echo ag''ain");
  await untilSeen(page, /^again$/m);
  assert.equal((await stage.scene.client.listShells(id)).shells.length, 1);
});

/** Shows a file, and takes what the terminal answers: where its cursor is, two times what it is, and that it has the focus. */
const ASKING = `
before=$(stty -g); stty -icanon -echo
: > answers; cat hostile
until [[ $said == *c*c* && $said == *I* ]]; do
  IFS= read -r -n 1 key; said=$said$key
done
printf '\\033[?1004l'
stty "$before"
printf %s. "$said" > answers
`;

test("[PAG-135] [PAG-136] [SHL-40] hostile output is only shown: nothing is answered, refused or opened", async (stage, id) => {
  const page = await openPanel(stage, id);
  await openTerminal(page);
  // A letter that is to be repeated for minutes, colours by their parts, questions, a link to a script, and one to the web.
  await writeFile(
    join(stage.scene.workspace, "hostile"),
    [
      "A\x1b[2147483647b\x1b[2J\x1b[H",
      "\x1b[38;2;250;120;10m\x1b[48;2;1;2;3mmixed\x1b[0m",
      "\x1b[6n\x1b[c\x1b[>c\x1b]11;?\x07\x1b[?1004h",
      "\x1b]8;;javascript:window.hacked=1\x07script\x1b]8;;\x07",
      "\x1b]8;;https://web.example/\x07web\x1b]8;;\x07",
      "<img src=x onerror=window.hacked=2>",
      "\x1b]52;c;aGFja2Vk\x07done\r\n",
    ].join("\r\n"),
  );
  await writeFile(join(stage.scene.workspace, "ask"), ASKING);
  await type(page, "PS1='$ '; clear; bash ask");
  await untilSeen(page, /^done$/m);
  // agentctl has answered once, and the page has told of its focus.
  const answers = await eventually(
    () => readFile(join(stage.scene.workspace, "answers"), "utf8"),
    (text) => text.endsWith("."),
  );
  assert.match(
    answers.replace("\x1b[I", "").replaceAll("\x1b", "^"),
    /^\^\[3;1R\^\[\?[\d;]+c\^\[>[\d;]+c\.$/,
  );
  const mixed = rows(page).getByText("mixed");
  assert.equal(
    await mixed.evaluate((span) => getComputedStyle(span).backgroundColor),
    "rgb(1, 2, 3)",
  );
  await rows(page).getByText("script", { exact: true }).click(OVER);
  const opened = page
    .context()
    .waitForEvent("page")
    .catch(() => null);
  await rows(page).getByText("web", { exact: true }).hover(OVER);
  await page.locator("[data-shell][title='https://web.example/']").waitFor();
  await page
    .context()
    .route("https://web.example/", (route) => route.fulfill({ body: "" }));
  await rows(page).getByText("web", { exact: true }).click(OVER);
  assert.equal((await opened)?.url(), "https://web.example/");
  stage.forgive(/a request to https:\/\/web\.example\//);
  assert.equal(await page.evaluate(() => "hacked" in globalThis), false);
  // Drawn again, and looked at by two, nothing is typed into the shell either.
  await page.bringToFront();
  await page.reload();
  await showPanel(page);
  await isAttached(page);
  await type(page, "echo qu''iet");
  await untilSeen(page, /^\$ echo qu''iet\nquiet$/m);
});

test("[PAG-137] what a terminal shows can be searched, and copied", async (stage, id) => {
  const page = await openPanel(stage, id, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await openTerminal(page);
  await type(page, "PS1='$ '; seq 1000 1200");
  await untilSeen(page, /^1200\n\$$/m);
  await page.keyboard.press("Control+Shift+F");
  const box = page.getByRole("textbox", { name: "Find in the terminal" });
  await box.fill("1042");
  await untilSeen(page, /^1042$/m);
  await box.press("Escape");
  await hasFocus(page);
  await page.keyboard.press("Control+Shift+C");
  await eventually(
    () => page.evaluate(() => navigator.clipboard.readText()),
    (text) => text === "1042",
  );
  await page.keyboard.type("echo [");
  await page.keyboard.press("Control+Shift+V");
  // The browser takes its time to tell what was copied.
  await untilSeen(page, /\[1042$/m);
  await page.keyboard.type("]\n");
  await untilSeen(page, /^\[1042\]$/m);
});

test("[PAG-138] axe finds nothing: light, dark, on a phone, open and ended", async (stage, id) => {
  const page = await openPanel(stage, id);
  assert.deepEqual(await axeFindings(page), []);
  await openTerminal(page);
  await type(page, "PS1='$ '; printf '\\033[31mred \\033[34mblue\\033[0m\\n'");
  await untilSeen(page, /^red blue$/m);
  assert.deepEqual(await axeFindings(page), []);
  const shot = process.env["SHOTS"];
  if (shot !== undefined)
    await page.screenshot({ path: join(shot, "light.png") });
  // The frame that xterm.js brings is not in sight.
  const frame = await page.locator(".xterm-viewport").evaluate((element) => {
    const { backgroundColor, overflowY } = getComputedStyle(element);
    return [backgroundColor, overflowY];
  });
  assert.deepEqual(frame, ["rgba(0, 0, 0, 0)", "hidden"]);
  const background = () =>
    page
      .locator(".xterm-scrollable-element")
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  const light = await background();
  await page.emulateMedia({ colorScheme: "dark" });
  await eventually(background, (dark) => dark !== light);
  // Buttons change their colours in a moment, not at once.
  await eventually(
    () => page.evaluate(() => document.getAnimations().length),
    (running) => running === 0,
  );
  assert.deepEqual(await axeFindings(page), []);
  if (shot !== undefined)
    await page.screenshot({ path: join(shot, "dark.png") });
  await page.setViewportSize(PHONE);
  await page.getByRole("button", { name: "Control C" }).waitFor();
  assert.deepEqual(await axeFindings(page), []);
  if (shot !== undefined)
    await page.screenshot({ path: join(shot, "phone.png") });
  await page.getByRole("button", { name: "Control D" }).click();
  await page.getByText("The shell ended with exit code 0.").waitFor();
  assert.deepEqual(await axeFindings(page), []);
});
