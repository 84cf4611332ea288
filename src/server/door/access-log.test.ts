import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeSite, type FakeSite } from "../fixtures/fake-site.ts";

const knock = async ({ ask }: FakeSite, times: number): Promise<void> => {
  for (let n = 0; n < times; n++) {
    const answer = await ask(`/api/sessions?n=${n}`, {
      headers: { authorization: "Bearer wrong" },
    });
    assert.equal(answer.status, 401);
  }
};

test("[API-108] of requests without a token the first of a minute are logged, the others are counted in one line", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const site = createFakeSite();
  await knock(site, 500);
  const { lines } = site.log;
  assert.equal(lines.length, 20);
  t.mock.timers.tick(60_000);
  assert.equal(lines.length, 21);
  assert.partialDeepStrictEqual(lines.at(-1), {
    level: "warn",
    facts: { requests: 480, seconds: 60 },
  });
  await knock(site, 3);
  t.mock.timers.tick(60_000);
  assert.equal(lines.length, 24, "nothing is summed up where all is logged");
});

test("[API-108] what is not summed up yet is when the server stops", async () => {
  const site = createFakeSite();
  await knock(site, 21);
  site.closing.abort();
  assert.equal(site.log.lines.at(-1)?.facts["requests"], 1);
});

test("[API-108] what is open to all counts as well; what has the token is not held back", async () => {
  const site = createFakeSite();
  for (let n = 0; n < 100; n++)
    await site.ask("/health", { method: "POST", body: "{}" });
  assert.equal(site.log.lines.length, 20);
  for (let n = 0; n < 100; n++) await site.post("/api/tasks", { title: "t" });
  assert.equal(site.log.lines.length, 120);
});
