/** What the browser itself tells of a page: tasks of its main thread, what moved, and when keys were painted. */
import type { Page } from "playwright-core";
import { now, type Span } from "../clock.ts";

interface Told {
  tasks: [from: number, ms: number][];
  shifts: number[];
  keys: [from: number, ms: number][];
}

export interface Observed {
  /** Those over 50 ms: the browser tells no others. */
  longTasks: Span[];
  /** Sum of the layout shifts. */
  shift: number;
  /** From a key until the frame that shows it. */
  keys: Span[];
}

/** Begins to listen. The function that it returns tells what was heard since. */
export const observe = async (page: Page): Promise<() => Promise<Observed>> => {
  const handle = await page.evaluateHandle(() => {
    const told: Told = { tasks: [], shifts: [], keys: [] };
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        told.tasks.push([performance.timeOrigin + startTime, duration]);
    }).observe({ type: "longtask" });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if ("value" in entry) told.shifts.push(Number(entry.value));
    }).observe({ type: "layout-shift" });
    // What runs behind a frame runs when that is painted.
    const painted = (from: number) =>
      requestAnimationFrame(() =>
        setTimeout(() =>
          told.keys.push([
            performance.timeOrigin + from,
            performance.now() - from,
          ]),
        ),
      );
    addEventListener("keydown", ({ timeStamp }) => painted(timeStamp), true);
    return told;
  });
  return async () => {
    const told = await handle.jsonValue();
    // The browser tells the time of day; spans here are on the monotonic clock.
    const offset = now() - (performance.timeOrigin + performance.now());
    const span = ([from, ms]: [number, number]): Span => ({
      from: from + offset,
      to: from + ms + offset,
    });
    return {
      longTasks: told.tasks.map(span),
      shift: told.shifts.reduce((sum, value) => sum + value, 0),
      keys: told.keys.map(span),
    };
  };
};
