import assert from "node:assert/strict";
import { test } from "node:test";
import { sshProblem } from "./ssh-problem.ts";

const host = { name: "box", address: "ada@box" };

test("[SSH-6] what ssh says becomes a reason with what to do about it", () => {
  for (const [words, code, told] of [
    [
      "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\r\nHost key verification failed.",
      "wrong_fingerprint",
      /ssh-keygen -R/,
    ],
    [
      "No ED25519 host key is known for box and you have requested strict checking.\r\nHost key verification failed.",
      "host_not_usable",
      /Connect once with `ssh ada@box`/,
    ],
    [
      "ada@box: Permission denied (publickey).",
      "host_not_usable",
      /BatchMode=yes ada@box true/,
    ],
    [
      "ssh: Could not resolve hostname box: Name or service not known",
      "agentctl_unavailable",
      /cannot be resolved/,
    ],
    [
      "ssh: connect to host box port 22: No route to host",
      "agentctl_unavailable",
      /No route to host\. Check/,
    ],
    [
      "ssh: connect to host box port 22: Connection refused",
      "agentctl_unavailable",
      /Connection refused/,
    ],
    [
      "Timeout, server box not responding.",
      "agentctl_unavailable",
      /not responding/,
    ],
    ["", "agentctl_unavailable", /cannot be reached by ssh\. Check/],
    [
      "/x/ssh_config: line 1: Bad configuration option: hosst\r\n/x/ssh_config: terminating, 1 bad configuration options",
      "host_not_usable",
      /configuration of ssh/,
    ],
  ] as const) {
    const problem = sshProblem(host, { code: 255, words, error: null });
    assert.equal(problem.code, code, words);
    assert.match(problem.message, told);
    assert.match(problem.message, /box \(ada@box\)/);
  }
});

test("[SSH-6] what a host could not run is told in its own words, without control characters", () => {
  const problem = sshProblem(host, {
    code: 1,
    words: "mkdir: cannot create directory: \u001b[2JNo space left on device\n",
    error: null,
  });
  assert.equal(problem.code, "host_not_usable");
  assert.match(problem.message, /code 1: mkdir: .*No space left on device\. /);
  assert.ok(!problem.message.includes("\u001b"));
});

test("[SSH-6] a server without ssh says so", () => {
  const error = Object.assign(new Error("spawn ssh"), { code: "ENOENT" });
  const problem = sshProblem(host, { code: null, words: "", error });
  assert.equal(problem.code, "host_not_usable");
  assert.match(problem.message, /no `ssh` in the PATH/);
});
