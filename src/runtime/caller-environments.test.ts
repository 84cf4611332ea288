import assert from "node:assert/strict";
import { test } from "node:test";
import { ExecutionId, SessionId } from "../contract/id.ts";
import { ulid } from "../kit/ulid.ts";
import { CallerEnvironments } from "./caller-environments.ts";

const session = SessionId.parse(`ses_${ulid(0)}`);
const execution = ExecutionId.parse(`exe_${ulid(0)}`);

test("[SES-61] the newest environment of a session counts, without what says where agents keep their things", () => {
  const callers = new CallerEnvironments();
  assert.deepEqual(callers.of(session), {});
  callers.remember(session, { KEY: "1", HOME: "/me", CODEX_HOME: "/c" });
  assert.deepEqual(callers.of(session), { KEY: "1" });
  callers.remember(session, undefined);
  assert.deepEqual(callers.of(session), { KEY: "1" });
  callers.remember(session, { PATH: "/bin" });
  assert.deepEqual(callers.of(session), { PATH: "/bin" });
});

test("[SES-61] the same environment is compared once for each execution", () => {
  const callers = new CallerEnvironments();
  const compared = () => callers.isCompared(execution, callers.of(session));
  assert.equal(compared(), false);
  callers.remember(session, { KEY: "1" });
  callers.compared(execution, callers.of(session));
  callers.remember(session, { KEY: "1" });
  assert.equal(compared(), true);
  callers.remember(session, { KEY: "2" });
  assert.equal(compared(), false);
});
