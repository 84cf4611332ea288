import assert from "node:assert/strict";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { until } from "../../src/kit/fixtures/patience.ts";
import { markedProcesses } from "../../src/kit/processes/marked-processes.ts";
import { Tour } from "./tour.ts";

const root = resolve(import.meta.dirname, "../..");
/** The product that the runner has built; a file that is run by hand starts the sources themselves. */
const reprise = join(process.env["TEST_PRODUCT"] ?? root, "bin/reprise");

test("a tour that fails midway leaves no process behind", async (t) => {
  const place = await realpath(await mkdtemp(join(tmpdir(), "tour-")));
  t.after(() => rm(place, { recursive: true, force: true, maxRetries: 10 }));
  const env = { PATH: process.env["PATH"] ?? "", HOME: place };
  const tour = new Tour(place, { cwd: place, env });
  t.after(() => tour.close());
  const serve = `npm() { shift 2; ${reprise} up "$@"; }; npm start`;
  const up = "Reprise is up: http://127.0.0.1:7420";
  await tour.follow({ command: serve, output: ["…", up, "…"] });
  const start = `${reprise} session start "count 1000 1000"`;
  await tour.follow({ command: start, output: ["…"] });
  await assert.rejects(
    tour.follow({ command: `${reprise} agents`, output: ["something else"] }),
  );
  // The command that a reader waits for when the test gives up.
  const watching = tour.follow({
    command: `${reprise} session continue --follow`,
    output: ["something else"],
  });
  watching.catch(() => undefined);
  const left = () => markedProcesses(`HOME=${place}`);
  await until(async () => (await left()).length >= 4);
  await tour.close();
  assert.deepEqual(await left(), []);
  await assert.rejects(watching);
});
