/**
 * `npm run shots -- [--out DIRECTORY] [--only NAME]`: pictures of every screen of the page and of the states that a session
 * can be in, light, dark and on a phone, with a real server and really killed demo agents. They are not committed, except
 * those that documents have: `--docs` makes all of these, `--readme` the README's.
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
import { documented, PICTURES, pictureName } from "./shots/documented.ts";
import { type Look, looks, type Screen, takeShot } from "./shots/look.ts";
import { screensOf } from "./shots/screens.ts";
import { playStories } from "./shots/stories.ts";

const root = resolve(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    out: { type: "string", default: resolve(root, "dist/shots") },
    /** Only screens whose name begins with this. */
    only: { type: "string", default: "" },
    /** Only the pictures of documents, where these have them. */
    docs: { type: "boolean", default: false },
    /** Of these only the README's. */
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

const isForDocuments = values.docs || values.readme;
const out = isForDocuments ? resolve(root, PICTURES) : values.out;
await mkdir(out, { recursive: true });

/** Whether this picture was asked for. */
const isWanted = (screen: string, look: Look["name"]): boolean =>
  isForDocuments
    ? documented.some(
        (each) =>
          each.screen === screen &&
          each.look === look &&
          (!values.readme || each.document === "README.md"),
      )
    : screen.startsWith(values.only);

const shoot = async (screens: readonly Screen[]): Promise<void> => {
  for (const look of looks)
    for (const screen of screens) {
      if (!isWanted(screen.name, look.name)) continue;
      await takeShot({ browser, server, look, screen, out });
      console.log(pictureName({ screen: screen.name, look: look.name }));
    }
};

await shoot([{ name: "first-run", path: "/" }]);
await shoot(screensOf(await playStories(house, server.client)));
