/** A real Chromium, signed in to a server of its own. */
import { type BrowserContext, chromium } from "playwright-core";
import {
  BROWSER_FLAGS,
  findChromium,
} from "../../test/page/fixtures/find-chromium.ts";
import type { Server } from "../../test/e2e/house.ts";

export interface OpenBrowser extends AsyncDisposable {
  context: BrowserContext;
}

export const openBrowser = async (server: Server): Promise<OpenBrowser> => {
  const found = await findChromium();
  if ("missing" in found) throw new Error(`no Chromium: ${found.missing}`);
  const browser = await chromium.launch({
    executablePath: found.path,
    args: BROWSER_FLAGS,
  });
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
  });
  context.setDefaultTimeout(600_000);
  const page = await context.newPage();
  await page.goto(`${server.url}/#token=${server.token}`);
  await page.getByRole("navigation").first().waitFor();
  await page.close();
  return { context, [Symbol.asyncDispose]: () => browser.close() };
};
