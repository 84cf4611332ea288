/** A page that shows what its agent says, at thirty chunks a second, while somebody follows, types or reads higher up. */
import { lengths, type Span } from "../clock.ts";
import { figure, limit, quantile, type Row } from "../figure.ts";
import { Pulse, spared } from "../pulse/pulse.ts";
import { observe } from "./observed.ts";
import { chunksOfTurn } from "./prose.ts";
import type { Speaker } from "./speaking.ts";

const EVERY_MS = 33;
const TURN = { every_ms: EVERY_MS, chunks: chunksOfTurn(900) };
const KEYS = "What is typed while the agent speaks is there at once. ".repeat(
  3,
);
const BETWEEN_KEYS_MS = 70;
/** The page asks for nothing more than what is far below it. */
const UP_PX = -2_500;

export const streamingRows = async (speaker: Speaker): Promise<Row[]> => {
  const { page, ask, isSaid } = speaker;
  await using pulse = new Pulse();
  // What is read higher up.
  await ask({ ...TURN, every_ms: 4 });
  await isSaid();

  const heard = await observe(page);
  await ask(TURN);
  await page
    .getByRole("textbox", { name: "Prompt" })
    .pressSequentially(KEYS, { delay: BETWEEN_KEYS_MS });
  await isSaid();
  const followed = await heard();

  await ask(TURN);
  await page.getByRole("region", { name: "Messages" }).hover();
  await page.mouse.wheel(0, UP_PX);
  await page.getByRole("button", { name: "Latest" }).waitFor();
  const before = await heard();
  await page.waitForTimeout(TURN.chunks * EVERY_MS * 0.8);
  const read = await heard();
  await page.getByRole("button", { name: "Latest" }).click();
  await isSaid();

  const absences = await pulse.absences();
  const longest = (spans: readonly Span[]) => Math.max(0, ...lengths(spans));
  const keys = lengths(spared(followed.keys, absences));
  const what = "30 chunks a second";
  return [
    limit(
      {
        what: `${what}: longest task over 50 ms (0: none), while the machine was there`,
        unit: "ms",
        ours: [longest(spared(read.longTasks, absences))],
      },
      { most: 50 },
    ),
    figure(
      {
        what: `${what}: longest task over 50 ms of all; peer: the limit`,
        unit: "ms",
        ours: [longest(read.longTasks)],
        peer: [50],
      },
      null,
    ),
    limit(
      {
        what: `${what}: layout shift while somebody reads higher up`,
        unit: "",
        ours: [read.shift - before.shift],
      },
      { most: 0.001 },
    ),
    limit(
      {
        what: `${what}: key → painted, p95, while the machine was there`,
        unit: "ms",
        ours: [quantile(keys, 0.95)],
      },
      { most: 50 },
    ),
    figure(
      {
        what: `${what}: key → painted, p50; peer: p95`,
        unit: "ms",
        ours: [quantile(keys, 0.5)],
        peer: [quantile(keys, 0.95)],
      },
      null,
    ),
  ];
};
