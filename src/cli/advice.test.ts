import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type ProblemCode, RepriseError } from "../contract/problem.ts";
import { adviceFor } from "./advice.ts";

test("a server that refuses the token of a home without a server is another home's", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(home, { recursive: true }));
  const error = new RepriseError("unauthorized", "no");
  const advice = (env: Record<string, string>) =>
    adviceFor(error, { env: { REPRISE_HOME: home, ...env }, cwd: "/" });
  assert.match((await advice({})) ?? "", /belongs to another home than/);
  const named = { REPRISE_URL: "http://127.0.0.1:1" };
  assert.match((await advice(named)) ?? "", /REPRISE_TOKEN/);
  await writeFile(
    join(home, "server.json"),
    JSON.stringify({ url: "http://127.0.0.1:1", pid: 1 }),
  );
  assert.match((await advice({})) ?? "", /REPRISE_TOKEN/);
});

test("most errors say themselves what to do", async () => {
  const error = new RepriseError("wrong_state", "no");
  assert.equal(await adviceFor(error, { env: {}, cwd: "/" }), null);
});

test("[API-124] a restriction that is not held is answered with what can be asked for instead", async () => {
  const error = new RepriseError("restriction_not_held", "no", {
    restriction: {
      what: "mode",
      asked: "readonly",
      reason: "not_offered",
      valid: ["read-only"],
      message: null,
    },
  });
  assert.equal(
    await adviceFor(error, { env: {}, cwd: "/" }),
    "Say it again with one of: --mode read-only · --without mode",
  );
});

test("[API-120] what the server refuses in its own words is answered with the command that helps", async () => {
  const advice = (code: ProblemCode, more = {}) =>
    adviceFor(new RepriseError(code, "no", more), { env: {}, cwd: "/" });
  assert.match((await advice("session_ended")) ?? "", /session fork ID/);
  assert.match((await advice("session_deleted")) ?? "", /session undelete ID/);
  assert.match(
    (await advice("checkpoint_not_found")) ?? "",
    /session checkpoints ID/,
  );
  assert.match(
    (await advice("resume_failed", { reason: "agent_not_installed" })) ?? "",
    /`reprise agents`/,
  );
});

test("[API-120] the session that was named stands in the command, ready to be pasted", async () => {
  const error = new RepriseError("session_damaged", "no");
  const words = await adviceFor(error, { env: {}, cwd: "/" }, "ses_01jm");
  assert.match(words ?? "", /`reprise session fork ses_01jm TURN`/);
  assert.match(words ?? "", /`reprise session recover ses_01jm`/);
  assert.doesNotMatch(words ?? "", /\bID\b/);
});
