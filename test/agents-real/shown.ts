/** What this run has shown, kept until the file's tests are over; then `docs/agents.md` is held against it. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../e2e/house.ts";
import type { Row } from "./matrix.ts";
import { type Column, type Shown, withShown } from "./table.ts";

export const page = join(root, "docs/agents.md");

/** The directory in which `npm run agents:table` wants the results. */
export const RESULTS = "AGENT_RESULTS";

const shown = new Map<Column, Shown>();

/** Plays a row and keeps what came of it, also when that is a failure. */
export const showing = async (
  column: Column,
  row: Row,
  play: () => Promise<string>,
): Promise<string> => {
  const cells = shown.get(column) ?? {};
  shown.set(column, cells);
  cells[row] = "not shown";
  return (cells[row] = await play());
};

/** To be called after the tests of the file were. */
export const testPage = (...columns: Column[]): void => {
  test(`docs/agents.md says what this run has shown: ${columns.join(", ")}`, async () => {
    const results = Object.fromEntries(shown);
    const directory = process.env[RESULTS];
    if (directory !== undefined)
      await writeFile(
        join(directory, `${randomUUID()}.json`),
        JSON.stringify(results),
      );
    else {
      const document = await readFile(page, "utf8");
      assert.equal(
        withShown(document, results),
        document,
        "`npm run agents:table` writes it anew",
      );
    }
  });
};
