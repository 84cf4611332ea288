import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../client/client.ts";
import { PromptId, SessionId } from "../../contract/base/id.ts";
import { habitsOf } from "../base/client-table.ts";
import { openDoor } from "../base/door.ts";
import { stopWatching, watchForCancel } from "./wait.ts";

const work = {
  session_id: SessionId.parse("ses_00000000000000000000000000"),
  prompt_id: PromptId.parse("prm_00000000000000000000000000"),
};

/** A call of a door that cancels by every end, and how often the server was asked something for it. */
const aCall = () => {
  const asked: string[] = [];
  const door = openDoor({
    client: connect({
      url: "http://127.0.0.1",
      token: "t",
      fetch: async (input) => {
        asked.push(new Request(input).url);
        return new Response("{}", { status: 404 });
      },
    }),
    version: "1.2.3",
    cwd: null,
    callerEnv: async () => ({}),
    sessionsDirectory: async () => null,
    stateKey: async () => "a secret",
    onCancel: "cancel",
    depth: 0,
    calledBy: null,
    closing: new AbortController().signal,
  });
  const end = new AbortController();
  const ctx = { mcpReq: { signal: end.signal } };
  return { call: { door, ctx, caller: { habits: habitsOf("") } }, end, asked };
};

test("[MCP-25] the end of a call that is under way cancels its turn once, also after a form", async () => {
  const { call, end, asked } = aCall();
  watchForCancel(call, work);
  watchForCancel(call, work);
  end.abort();
  await Promise.all(call.door.background);
  assert.equal(asked.length, 1);
});

test("[MCP-25] the end of a call that was answered cancels nothing", async () => {
  const { call, end, asked } = aCall();
  watchForCancel(call, work);
  stopWatching(call);
  end.abort();
  await Promise.all(call.door.background);
  assert.deepEqual(asked, []);
});
