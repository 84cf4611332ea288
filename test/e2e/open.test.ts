import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeBrowser } from "../../src/cli/fixtures/fake-browser.ts";
import { TestHouse } from "./house.ts";

test("[RUN-20] [RUN-21] [RUN-23] open gives the browser a link that signs in once, and prints one where there is none", async () => {
  await using house = await TestHouse.make();
  const server = await house.up();
  assert.doesNotMatch(server.printed(), /token/);
  const { id } = await server.client.createSession({
    agent: "demo",
    cwd: house.workspace,
  });
  const browser = await fakeBrowser(house.directory);
  const opened = await house.cli(["open", id], { env: browser.env });
  assert.deepEqual(
    [opened.code, opened.out],
    [0, "The page is open in your browser.\n"],
  );
  const link = new URL(await browser.opened());
  assert.equal(link.pathname, `/s/${id}`);
  const signIn = async ({ hash, origin }: URL): Promise<number> => {
    const token = new URLSearchParams(hash.slice(1)).get("token");
    const answer = await fetch(new URL("/api/page/session", server.url), {
      method: "POST",
      headers: { origin, "content-type": "application/json" },
      body: JSON.stringify({ token }),
    });
    return answer.status;
  };
  assert.doesNotMatch(link.href, new RegExp(server.token));
  assert.equal(await signIn(link), 204);
  assert.equal(await signIn(link), 401);

  const printed = await house.cli(["open"]);
  assert.equal(printed.code, 0);
  assert.doesNotMatch(printed.out, new RegExp(server.token));
  assert.equal(await signIn(new URL(printed.out.trim())), 204);
  const json = await house.cli(["open", "--json"]);
  const told = JSON.parse(json.out);
  assert.equal(told.opened, false);
  assert.equal(await signIn(new URL(told.link)), 204);

  const failing = await fakeBrowser(`${house.directory}/failing`, 3);
  const instead = await house.cli(["open"], { env: failing.env });
  assert.match(instead.out, /^http:.*#token=/);
  await server.stop();
  assert.equal((await house.cli(["open"])).code, 5);
});
