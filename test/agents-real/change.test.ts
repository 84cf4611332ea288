/** Mode and model of a real agent are changed while it runs, and hold after a resume. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { modelsIn } from "../../src/contract/agent/offered.ts";
import type { RealAgent } from "./packages.ts";
import { Scene } from "./scene.ts";

/** A mode that each has, and the one in which it asks for nothing. */
const modes = {
  claude: { careful: "plan", free: "bypassPermissions" },
  codex: { careful: "read-only", free: "agent-full-access" },
} as const satisfies Partial<
  Record<RealAgent, { careful: string; free: string }>
>;

for (const agent of ["claude", "codex"] as const)
  test(`[LNK-99] [LNK-100] [SES-88] ${agent}: mode and model are changed while it runs and hold after a resume; what could not be held changes nothing`, async () => {
    await using scene = await Scene.make(agent);
    const { client } = scene;
    const { careful, free } = modes[agent];
    const id = await scene.begin({ permissions: "ask" });
    const { offered } = await client.showSession(id);
    assert.ok(offered !== null);
    assert.ok(offered.modes?.available.some((mode) => mode.id === careful));
    const models = modelsIn(offered);
    const model = models?.values.find((value) => value !== models.current);
    assert.ok(model !== undefined, "it offers another model");

    await assert.rejects(client.changeSession(id, { mode: free, model }), {
      code: "restriction_not_held",
    });
    const before = await client.showSession(id);
    assert.equal(before.applied?.model?.value, models?.current);

    const changed = await client.changeSession(id, { mode: careful });
    assert.equal(changed.applied?.mode?.value, careful);
    assert.equal(await scene.recall(id), scene.passkeyOf(id));
    const other = await client.changeSession(id, { model });
    assert.equal(other.applied?.model?.value, model);
    assert.equal(other.applied.mode?.value, careful);

    await client.pauseSession(id);
    const back = await client.resumeSession(id);
    assert.equal(back.resume?.grade, "native");
    assert.equal(back.applied?.mode?.value, careful);
    assert.equal(back.applied.model?.value, model);
  });
