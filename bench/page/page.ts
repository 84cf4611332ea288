/** The page in a real Chromium, with a real server, its daemon and an agent that speaks, all on this machine. */
import { TestHouse } from "../../test/e2e/house.ts";
import type { Bench } from "../figure.ts";
import { openBrowser } from "./browser.ts";
import { hourRow } from "./hour.ts";
import { fillHome } from "./large-home.ts";
import { openingRows } from "./opening.ts";
import { sizeRows } from "./sizes.ts";
import { openSpeaker, withProse } from "./speaking.ts";
import { streamingRows } from "./streaming.ts";

export const page: Bench = {
  name: "page",
  async measure() {
    await using house = await TestHouse.make({
      ...withProse,
      auto_resume: false,
    });
    // Makes the database, and in a clone compiles the sources and builds the page.
    await (await house.up()).stop();
    const long = await fillHome(house.home);
    const server = await house.up();
    await using browser = await openBrowser(server);
    const { context } = browser;
    const sizes = await sizeRows(context, server.url, long);
    const opening = await openingRows(context, server.url, long);
    const speaker = await openSpeaker(context, server, house);
    const streaming = await streamingRows(speaker);
    return [...opening, ...streaming, await hourRow(speaker), ...sizes];
  },
};
