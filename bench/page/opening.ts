/** From the beginning of a load until what was asked for is painted. */
import type { BrowserContext } from "playwright-core";
import { limit, type Row } from "../figure.ts";
import { MESSAGES, SESSIONS } from "./large-home.ts";

const ROUNDS = 7;
/** Rows that are in sight at the least, and the element they are told by. */
const LISTED = { selector: "main a", least: 6 };
const SHOWN = { selector: "[data-row]", least: 5 };

export const openingRows = async (
  context: BrowserContext,
  url: string,
  session: string,
): Promise<Row[]> => {
  const listed: number[] = [];
  const opened: number[] = [];
  const rows: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    listed.push((await paintedAfter(context, `${url}/`, LISTED)).ms);
    const painted = await paintedAfter(context, `${url}/s/${session}`, SHOWN);
    opened.push(painted.ms);
    rows.push(painted.elements);
  }
  const many = (count: number) => count.toLocaleString("en");
  return [
    limit(
      {
        what: `${many(SESSIONS)} sessions: load → listed`,
        unit: "ms",
        ours: listed,
      },
      { most: 500 },
    ),
    limit(
      {
        what: `${many(MESSAGES)} messages: load → opened`,
        unit: "ms",
        ours: opened,
      },
      { most: 1_000 },
    ),
    limit(
      {
        what: `${many(MESSAGES)} messages: rows in the document`,
        unit: "",
        ours: [Math.max(...rows)],
      },
      { most: 60 },
    ),
  ];
};

/** A tab of its own, which has the scripts in the browser's cache. */
const paintedAfter = async (
  context: BrowserContext,
  url: string,
  { selector, least }: { selector: string; least: number },
): Promise<{ ms: number; elements: number }> => {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "commit" });
  const ms = await page.evaluate(
    ([selector, least]) =>
      new Promise<number>((found) => {
        const look = () => {
          const { length } = document.querySelectorAll(selector);
          if (length < least) return requestAnimationFrame(look);
          // The frame that has them is painted before the next one begins.
          requestAnimationFrame(() => found(performance.now()));
        };
        look();
      }),
    [selector, least] as const,
  );
  const elements = await page.locator(selector).count();
  await page.close();
  return { ms, elements };
};
