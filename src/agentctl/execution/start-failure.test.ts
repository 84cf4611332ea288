import assert from "node:assert/strict";
import { test } from "node:test";
import { codex } from "../../agents/codex/codex.ts";
import type { LoginWords } from "../../agents/launch/login.ts";
import { StartFailure } from "../../contract/link/report.ts";
import { endedEarly, failed, withLastWords } from "./start-failure.ts";

test("[LNK-24] an agent that ended: how, its last words, and what to do", () => {
  assert.deepEqual(endedEarly({ kind: "exited", code: 7 }, "no licence"), {
    failure: "agent_exited",
    message:
      "The agent exited with code 7 before it took prompts: no licence. See to that, or run it in a terminal to see more, then resume the session.",
  });
  assert.match(
    endedEarly({ kind: "killed", signal: "SIGSEGV" }, "").message,
    /^The agent was killed by SIGSEGV before it took prompts and said nothing\. /,
  );
  assert.equal(
    endedEarly({ kind: "exited", code: 127 }, "not found").failure,
    "agent_not_installed",
  );
});

test("[LNK-24] last words are the last ones", () => {
  const { message } = endedEarly(
    { kind: "exited", code: 1 },
    `first${"x".repeat(5000)}last`,
  );
  assert.ok(message.length < 1500 && message.includes("last"));
  assert.ok(!message.includes("first"));
  assert.equal(withLastWords("It waits", ""), "It waits");
  assert.equal(
    withLastWords("It waits", "log in"),
    "It waits. It said: log in",
  );
});

test("[LNK-24] an agent that wants a login: the command is named where it is known", () => {
  const wants = (login?: LoginWords) =>
    failed("not_logged_in", "It wants a login", login).message;
  assert.match(
    wants(codex.login),
    /\. Log in with `codex login` \(`npx --yes @openai\/codex@\S+ login` .*or set OPENAI_API_KEY or CODEX_API_KEY in your terminal, then resume the session\.$/,
  );
  assert.match(wants(), /\. Log in with the agent's own command in a /);
});

test("[LNK-24] every failure ends with what to do", () => {
  for (const failure of StartFailure.options)
    assert.match(
      failed(failure, "It went wrong").message,
      /^It went wrong\. [A-Z].*, then resume the session\.$/,
    );
});
