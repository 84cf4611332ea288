import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fillLargeWorkspace } from "../../../checkpoint/fixtures/workspace.ts";
import { SessionId } from "../../../contract/base/id.ts";
import { Executions } from "../executions.ts";
import { withBench } from "../../fixtures/bench.ts";
import { inWorkspace } from "../../fixtures/workspace.ts";
import { prepareDaemon } from "../../daemon/daemon.ts";
import { ActiveSpeakers } from "./active-speakers.ts";
import { checkpoint } from "../../workspace/capture/checkpoint.ts";
import { patience } from "../../../kit/fixtures/patience.ts";

const [one, other] = ["1", "2"].map((n) =>
  SessionId.parse(`ses_${n.padStart(26, "0")}`),
);

test("[CHK-28] a session gives way to others that speak, not to itself, and not for longer than they do", () => {
  assert.ok(one !== undefined && other !== undefined);
  const speakers = new ActiveSpeakers();
  assert.equal(speakers.areOthers(one, 0), false);
  speakers.spoke(one, 0);
  assert.equal(speakers.areOthers(one, 10), false);
  assert.equal(speakers.areOthers(other, 10), true);
  speakers.spoke(other, 100);
  assert.equal(speakers.areOthers(one, 300), true);
  assert.equal(speakers.areOthers(one, 400), false);
});

/** Whoever was heard once speaks for ever. */
class Echoes extends ActiveSpeakers {
  readonly #readTo = Promise.withResolvers<void>();
  readonly readTo = this.#readTo.promise;

  override spoke(session: SessionId): void {
    super.spoke(session, Infinity);
    this.#readTo.resolve();
  }
}

test("[CHK-28] while an agent speaks, another session's workspace is captured by one thread", () =>
  withBench(async (bench) => {
    await bench.down();
    const speakers = new Echoes();
    const limits = { stallMs: 10_000, lookMs: 20_000 };
    const prepared = await prepareDaemon(bench.home, () => undefined, limits);
    const daemon = { ...prepared, speakers };
    const executions = new Executions(daemon);
    const speaker = await inWorkspace(bench);
    await executions.start(speaker, {
      owner: null,
      term: 1,
      check: () => undefined,
    });
    await speakers.readTo;
    const { session_id, cwd, definition, env } = await inWorkspace(bench);
    fillLargeWorkspace(cwd);
    const { outcome } = await checkpoint(daemon, {
      session_id,
      cwd,
      agent: { definition, env, token: null },
      deadline_ms: patience(60_000),
    });
    assert.equal(outcome, "saved");
    const packs = await readdir(join(bench.home, "blobs", "packs"));
    assert.equal(packs.length, 1);
    await Promise.all([executions.leave(), daemon.storage.close()]);
  }));
