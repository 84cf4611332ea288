import assert from "node:assert/strict";
import { test } from "node:test";
import { permissionId, SessionId } from "../../contract/base/id.ts";
import { isUnanswered, leaveUnanswered } from "./form.ts";

test("[MCP-26] of forms that nobody answered the newest are remembered", () => {
  const door = { unanswered: new Set<string>() };
  const session = SessionId.parse("ses_00000000000000000000000000");
  for (let at = 1; at <= 10_001; at++)
    leaveUnanswered(door, session, permissionId(1, at));
  assert.equal(door.unanswered.size, 10_000);
  assert.ok(!isUnanswered(door, session, permissionId(1, 1)));
  assert.ok(isUnanswered(door, session, permissionId(1, 2)));
  assert.ok(isUnanswered(door, session, permissionId(1, 10_001)));
});
