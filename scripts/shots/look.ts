/** How a picture is taken. */
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Server } from "../../test/e2e/house.ts";
import { type LookName, pictureName } from "./documented.ts";

export interface Look {
  name: LookName;
  options: BrowserContextOptions;
}

const DESK = { width: 1440, height: 900 };

export const looks: readonly [Look, ...Look[]] = [
  { name: "light", options: { viewport: DESK, colorScheme: "light" } },
  { name: "dark", options: { viewport: DESK, colorScheme: "dark" } },
  {
    name: "phone",
    options: {
      viewport: { width: 390, height: 844 },
      colorScheme: "light",
      hasTouch: true,
      isMobile: true,
    },
  },
];

export interface Screen {
  name: string;
  path: string;
  /** What is done on it before the picture is taken. */
  prepare?: (page: Page) => Promise<void>;
}

export const takeShot = async ({
  browser,
  server,
  look,
  screen,
  out,
}: {
  browser: Browser;
  server: Server;
  look: Look;
  screen: Screen;
  out: string;
}): Promise<void> => {
  const context = await browser.newContext({
    ...look.options,
    reducedMotion: "reduce",
  });
  try {
    const page = await context.newPage();
    await page.goto(`${server.url}${screen.path}#token=${server.token}`);
    await settled(page);
    await screen.prepare?.(page);
    await settled(page);
    const path = join(
      out,
      pictureName({ screen: screen.name, look: look.name }),
    );
    await page.screenshot({ path, animations: "disabled" });
  } finally {
    await context.close();
  }
};

/** Everything that was on its way is there. */
const settled = async (page: Page): Promise<void> => {
  await page.getByRole("navigation").first().waitFor();
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(
    () => document.querySelector("main [aria-busy=true]") === null,
  );
};
