import assert from "node:assert/strict";
import { test } from "node:test";
import { ExecutionId, SessionId } from "../contract/id.ts";
import { ulid } from "../kit/ulid.ts";
import { CallerEnvironments } from "./caller-environments.ts";

const session = SessionId.parse(`ses_${ulid(0)}`);
const execution = ExecutionId.parse(`exe_${ulid(0)}`);

test("[SES-61] the newest environment of a session counts, without what says where agents keep their things", () => {
  const callers = new CallerEnvironments(1);
  const newest = () => callers.of(session).env;
  assert.deepEqual(newest(), {});
  callers.remember(session, { KEY: "1", HOME: "/me", CODEX_HOME: "/c" });
  assert.deepEqual(newest(), { KEY: "1" });
  callers.remember(session, { PATH: "/bin" });
  assert.deepEqual(newest(), { PATH: "/bin" });
  callers.forget(session);
  assert.deepEqual(newest(), {});
});

test("[SES-61] each set of credentials has a label, and the newest environment that brought it", () => {
  const callers = new CallerEnvironments(7);
  const ask = (KEY: string, PATH: string) =>
    callers.remember(session, { KEY, PATH }, { KEY });
  assert.equal(ask("1", "/a"), "7.1");
  assert.equal(ask("2", "/b"), "7.2");
  assert.equal(ask("1", "/c"), "7.1");
  assert.deepEqual(callers.of(session, "7.1").env, { KEY: "1", PATH: "/c" });
  assert.deepEqual(callers.of(session, "7.2").env, { KEY: "2", PATH: "/b" });
  assert.equal(callers.remember(session, { PATH: "/d" }), null);
  assert.deepEqual(callers.of(session).env, { PATH: "/d" });
  assert.deepEqual(callers.of(session, "6.1").env, { PATH: "/d" });
  assert.equal(callers.knows(session, "7.2"), true);
  assert.equal(callers.knows(session, "6.1"), false);
});

test("[SES-61] the same credentials are compared once for each execution", () => {
  const callers = new CallerEnvironments(1);
  const compared = () => callers.isCompared(execution, callers.of(session));
  const ask = (KEY: string) => callers.remember(session, { KEY }, { KEY });
  assert.equal(compared(), false);
  ask("1");
  callers.compared(execution, callers.of(session));
  ask("1");
  assert.equal(compared(), true);
  ask("2");
  assert.equal(compared(), false);
});
