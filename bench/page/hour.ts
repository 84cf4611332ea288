/** The memory of a page that was open for an hour while its agent spoke, at thirty chunks a second. They come faster here. */
import type { Page } from "playwright-core";
import { figure, type Row } from "../figure.ts";
import { chunksOfTurn } from "./prose.ts";
import type { Speaker } from "./speaking.ts";

const TURNS = 60;
const TURN = { every_ms: 4, chunks: chunksOfTurn(1_800), at_once: 8 };

export const hourRow = async ({ page, ask, isSaid }: Speaker): Promise<Row> => {
  const used: number[] = [];
  for (let turn = 1; turn <= TURNS; turn += 1) {
    await ask(TURN);
    await isSaid();
    if (turn === TURNS / 4 || turn === TURNS) used.push(await heapMb(page));
  }
  const [quarter = Number.NaN, end = Number.NaN] = used;
  const chunks = (TURNS * TURN.chunks).toLocaleString("en");
  return figure(
    {
      what: `heap of the page after ${chunks} chunks; peer: after a quarter of them`,
      unit: "MB",
      ours: [end],
      peer: [quarter],
    },
    { most: 1.1 },
  );
};

/** After a collection: only what is still held. */
const heapMb = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 1e6;
};
