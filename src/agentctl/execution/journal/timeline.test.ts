import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { PromptId } from "../../../contract/base/id.ts";
import { ulid } from "../../../kit/data/ulid.ts";
import { Timeline } from "./timeline.ts";
import { quietPoint } from "./history.ts";
import { Journal } from "./journal.ts";
import { mayBeHole } from "../report/output-limit.ts";

const MEBIBYTE = 1024 * 1024;

test("[LNK-62] the end of a turn that a full disk did not take gives no output back", async (t) => {
  const directory = mkdtempSync(join(tmpdir(), "reprise-timeline-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "journal");
  const { timeline } = Timeline.open(path);
  const endTurn = (at: number) => {
    const prompt_id = PromptId.parse(`prm_${ulid(at)}`);
    timeline.record({ kind: "turn_ended", prompt_id, at });
    timeline.record({ kind: "acknowledged", to: at });
  };
  endTurn(MEBIBYTE);
  const full = t.mock.method(Journal.prototype, "append", () => {
    throw Object.assign(new Error("full"), { code: "ENOSPC" });
  });
  endTurn(40 * MEBIBYTE);
  assert.equal(quietPoint(timeline.history).at, 40 * MEBIBYTE);
  const durable = await timeline.durable();
  assert.equal(quietPoint(durable).at, MEBIBYTE);
  assert.equal(mayBeHole(durable, 0), false);

  full.mock.restore();
  endTurn(50 * MEBIBYTE);
  const later = await timeline.durable();
  assert.equal(mayBeHole(later, 0), true);
  timeline.close();
  const successor = Timeline.open(path).timeline;
  assert.deepEqual(successor.history, later);
  successor.close();
});
