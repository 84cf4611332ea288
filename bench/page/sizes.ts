/** What the browser loads before it shows a screen, compressed, and how long the page takes to build. */
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext } from "playwright-core";
import { buildPage } from "../../src/serve/page/build-page.ts";
import { now } from "../clock.ts";
import { limit, type Row } from "../figure.ts";

const ROOT = join(import.meta.dirname, "../..");

export const sizeRows = async (
  context: BrowserContext,
  url: string,
  session: string,
): Promise<Row[]> => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-bench-page-"));
  const begun = now();
  await buildPage(ROOT, directory);
  const built = (now() - begun) / 1000;
  const home = await loaded(context, `${url}/`, "main a");
  const open = await loaded(context, `${url}/s/${session}`, "[data-row]");
  const kilobytes = async (paths: readonly string[], ending: string) => {
    let sum = 0;
    for (const path of paths)
      if (path.endsWith(ending))
        sum += (await stat(join(directory, `${path}.gz`))).size;
    return sum / 1000;
  };
  const rows = [
    sizeRow("Home: scripts, gzip", await kilobytes(home, ".js"), 150),
    sizeRow("Home: styles, gzip", await kilobytes(home, ".css"), 15),
    sizeRow("a session: scripts, gzip", await kilobytes(open, ".js"), 150),
    limit(
      { what: "build of the page", unit: "s", ours: [built] },
      { most: 30 },
    ),
  ];
  await rm(directory, { recursive: true });
  return rows;
};

const sizeRow = (what: string, kilobytes: number, most: number): Row =>
  limit({ what, unit: "kB", ours: [kilobytes] }, { most });

/** Paths of scripts and styles that were loaded when the first of these elements is there. */
const loaded = async (
  context: BrowserContext,
  url: string,
  selector: string,
): Promise<string[]> => {
  const page = await context.newPage();
  const paths: string[] = [];
  page.on("request", (request) => {
    if (["script", "stylesheet"].includes(request.resourceType()))
      paths.push(new URL(request.url()).pathname);
  });
  await page.goto(url);
  await page.locator(selector).first().waitFor();
  await page.close();
  return paths;
};
