/** JSON that nests ten thousand levels deep, wherever a stranger or a mistake may put it. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { TestHouse } from "./house.ts";

const DEEP = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;

test("[API-113] deep JSON is refused with a sentence: in a request, on the command line, in config.json", async () => {
  await using house = await TestHouse.make();
  const server = await house.up();
  for (const body of [
    `{"settings":{"a":${DEEP}}}`,
    `{"agent":"demo","mcp_servers":${DEEP}}`,
    `{"title":"t","description":${DEEP}}`,
    DEEP,
  ])
    for (const path of ["/api/sessions", "/api/tasks"]) {
      const answer = await fetch(`${server.url}${path}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${server.token}`,
          "content-type": "application/json",
          "idempotency-key": "one",
        },
        body,
      });
      assert.equal(answer.status, 400);
      assert.match(await answer.text(), /nests deeper than 100 levels/);
    }
  assert.deepEqual((await server.client.listSessions()).sessions, []);

  const start = await house.cli([
    "session",
    "start",
    "--settings",
    `{"a":${DEEP}}`,
  ]);
  assert.equal(start.code, 2);
  assert.match(start.err, /^reprise: The settings nest deeper than 100 levels/);
  await server.stop();

  for (const text of [DEEP, `{"agents":${DEEP}}`, `{"x":${DEEP}}`]) {
    await writeFile(join(house.home, "config.json"), text);
    const { code, err } = await house.cli(["up", "--port", "0"]);
    assert.equal(code, 1);
    assert.match(err, /config\.json does not fit/);
    assert.ok(err.length < 2000, "and says so in a few words");
    const { out } = await house.cli(["doctor"]);
    assert.match(out, /^fail +config /m);
  }
});
