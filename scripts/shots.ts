/**
 * `npm run shots -- [--out DIRECTORY] [--only NAME]`: pictures of every screen of the page and of the states that a session
 * can be in, light, dark and on a phone, with a real server and really killed demo agents. They are not committed, except
 * the one in the README (`--readme`).
 */
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { TestHouse } from "../test/e2e/house.ts";
import {
  BROWSER_FLAGS,
  findChromium,
} from "../test/page/fixtures/find-chromium.ts";
import { type Look, looks, takeShot } from "./shots/look.ts";
import { screensOf } from "./shots/screens.ts";
import { playStories } from "./shots/stories.ts";

const root = resolve(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    out: { type: "string", default: resolve(root, "dist/shots") },
    /** Only screens whose name begins with this. */
    only: { type: "string", default: "" },
    /** Only the README's picture, where the README has it. */
    readme: { type: "boolean", default: false },
  },
});

const found = await findChromium();
if ("missing" in found) throw new Error(`no Chromium: ${found.missing}`);
await using made = new AsyncDisposableStack();
const house = made.use(await TestHouse.make({ auto_resume: false }));
const server = await house.up();
const browser = await chromium.launch({
  executablePath: found.path,
  args: BROWSER_FLAGS,
});
made.defer(() => browser.close());

const shoot = async (look: Look, only: string, out: string): Promise<void> => {
  for (const screen of screensOf(stories)) {
    if (!screen.name.startsWith(only)) continue;
    await takeShot({ browser, server, look, screen, out });
    console.log(`${screen.name} ${look.name}`);
  }
};

if (!values.readme) {
  const empty = { name: "first-run", path: "/" };
  await mkdir(values.out, { recursive: true });
  for (const look of looks)
    await takeShot({ browser, server, look, screen: empty, out: values.out });
}
const stories = await playStories(house, server.client);
if (values.readme)
  await shoot(looks[0], "session", resolve(root, "docs/pictures"));
else for (const look of looks) await shoot(look, values.only, values.out);
