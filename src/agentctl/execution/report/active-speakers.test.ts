import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fillLargeWorkspace } from "../../../checkpoint/fixtures/workspace.ts";
import { SessionId } from "../../../contract/id.ts";
import { Executions } from "../executions.ts";
import { withBench } from "../../fixtures/bench.ts";
import { inWorkspace } from "../../fixtures/workspace.ts";
import { preparePlace } from "../../daemon/daemon.ts";
import { Voices } from "./active-speakers.ts";
import { checkpoint } from "../../workspace/capture/checkpoint.ts";
import { patience } from "../../../kit/fixtures/patience.ts";

const [one, other] = ["1", "2"].map((n) =>
  SessionId.parse(`ses_${n.padStart(26, "0")}`),
);

test("[CHK-28] a session gives way to others that speak, not to itself, and not for longer than they do", () => {
  assert.ok(one !== undefined && other !== undefined);
  const voices = new Voices();
  assert.equal(voices.areOthers(one, 0), false);
  voices.hear(one, 0);
  assert.equal(voices.areOthers(one, 10), false);
  assert.equal(voices.areOthers(other, 10), true);
  voices.hear(other, 100);
  assert.equal(voices.areOthers(one, 300), true);
  assert.equal(voices.areOthers(one, 400), false);
});

/** Whoever was heard once speaks for ever. */
class Echoes extends Voices {
  readonly #heard = Promise.withResolvers<void>();
  readonly heard = this.#heard.promise;

  override hear(session: SessionId): void {
    super.hear(session, Infinity);
    this.#heard.resolve();
  }
}

test("[CHK-28] while an agent speaks, another session's workspace is captured by one thread", () =>
  withBench(async (bench) => {
    await bench.down();
    const voices = new Echoes();
    const limits = { stallMs: 10_000, lookMs: 20_000 };
    const prepared = await preparePlace(bench.home, () => undefined, limits);
    const place = { ...prepared, voices };
    const executions = new Executions(place);
    const speaker = await inWorkspace(bench);
    await executions.start(speaker, {
      owner: null,
      term: 1,
      check: () => undefined,
    });
    await voices.heard;
    const { session_id, cwd, definition, env } = await inWorkspace(bench);
    fillLargeWorkspace(cwd);
    const { outcome } = await checkpoint(place, {
      session_id,
      cwd,
      agent: { definition, env, token: null },
      deadline_ms: patience(60_000),
    });
    assert.equal(outcome, "saved");
    const packs = await readdir(join(bench.home, "blobs", "packs"));
    assert.equal(packs.length, 1);
    await Promise.all([executions.leave(), place.depot.close()]);
  }));
