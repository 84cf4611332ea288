import assert from "node:assert/strict";
import { test } from "node:test";
import { mcpInServer } from "./mcp-in-server.ts";

test("[MCP-27] a door that could not be opened is tried again by the next call", async () => {
  let tries = 0;
  const answer = mcpInServer({
    fetch: () => new Response(),
    get hosts(): ReadonlySet<string> {
      tries += 1;
      if (tries === 1) throw new Error("not now");
      return new Set(["127.0.0.1"]);
    },
    token: "t",
    version: "1.2.3",
    home: "/nowhere",
    closing: new AbortController().signal,
  });
  const ask = () => answer(new Request("http://127.0.0.1/mcp"));
  await assert.rejects(ask(), /not now/);
  assert.equal((await ask()).status, 405);
  await ask();
  assert.equal(tries, 2, "an open door stays open");
});
