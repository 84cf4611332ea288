import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { connect } from "../../client/client.ts";
import { fakeServer } from "../fixtures/fake-server.ts";
import { memoryWorld } from "../fixtures/memory-world.ts";
import { SESSION } from "../fixtures/sample.ts";
import { palette } from "../terminal/palette.ts";
import { spinner } from "../terminal/spinner.ts";
import type { Sink } from "../terminal/world.ts";
import { watch } from "./watch.ts";

test("[API-131] after Ctrl-C nothing that moved is left on the terminal", async (t) => {
  const server = await fakeServer(t, {});
  const client = connect({ url: server.url, token: "t" });
  let written = "";
  const err: Sink = {
    write: (text) => void (written += text),
    drained: async () => undefined,
    isTerminal: true,
    columns: 40,
    palette: palette(false),
  };
  const { world, signal } = memoryWorld({ err });
  t.mock.timers.enable({ apis: ["setInterval"] });
  const moving = spinner(err);
  moving.show("the agent is at work, and says so at length");
  t.mock.timers.tick(100);
  const watching = watch(
    { ...world, json: false, client: async () => client },
    client,
    { session: SESSION, after: 0 },
    () => false,
    () => moving.hide(),
  );
  while (server.asked.length === 0) await setImmediate();
  signal("SIGINT");
  assert.equal(await watching, "detached");
  const [drawn = "", after = ""] = written.split("\r\x1b[K");
  assert.equal(drawn, "\r⠋ the agent is at work, and says so at…\x1b[K");
  assert.match(after, /^\nThe session goes on\. Come back with/);
});
