import assert from "node:assert/strict";
import { test } from "node:test";
import { isIdleAndResumable } from "./bring-back.ts";
import { abilities, Story } from "../testing.ts";

test("[REC-35] what waits for input without an agent and has a token is brought back, and nothing else", () => {
  const waits = new Story().up();
  assert.equal(isIdleAndResumable(waits.state), false, "it has its agent");
  assert.equal(isIdleAndResumable(waits.die().state), true);

  const paused = new Story()
    .up()
    .given({ type: "session.pause", reason: "paused" });
  paused.die([], { kind: "stopped" });
  assert.equal(isIdleAndResumable(paused.state), false);

  const unable = { abilities: abilities({ resume: false, load: false }) };
  const injected = new Story().begin().ready(unable).queue(1).deliver(1);
  assert.equal(isIdleAndResumable(injected.endTurn(1).die().state), false);

  const deleted = new Story().up().die().given({ type: "session.delete" });
  assert.equal(isIdleAndResumable(deleted.state), false);

  const failed = new Story().up().die();
  failed.given({ type: "session.resume", trigger: "request" });
  failed.given({
    type: "execution.fail",
    epoch: null,
    code: "x",
    message: "No.",
  });
  assert.equal(failed.name, "ERROR");
  assert.equal(isIdleAndResumable(failed.state), false);
});
