import assert from "node:assert/strict";
import { test } from "node:test";
import { sshArguments, sshEnvironment } from "./ssh-command.ts";

test("[SSH-3] ssh asks nobody, trusts no key that it does not know, and shares and forwards nothing", () => {
  const args = sshArguments(
    {
      kind: "ssh",
      destination: "ada@box",
      port: 2222,
      config_file: "box.config",
    },
    "/home",
    "true",
  );
  assert.deepEqual(args.slice(0, 4), ["-F", "/home/box.config", "-p", "2222"]);
  assert.deepEqual(args.slice(-3), ["--", "ada@box", "true"]);
  for (const option of [
    "BatchMode=yes",
    "StrictHostKeyChecking=yes",
    "VerifyHostKeyDNS=no",
    "NoHostAuthenticationForLocalhost=no",
    "ServerAliveInterval=5",
    "ControlPath=none",
    "ClearAllForwardings=yes",
    "ForwardAgent=no",
    "PermitLocalCommand=no",
  ])
    assert.ok(args.includes(option), option);
});

test("[SSH-9] ssh does not get what it would hand on: the language, a display, and what is ours", () => {
  const env = sshEnvironment({
    PATH: "/bin",
    SSH_AUTH_SOCK: "/agent",
    SSH_ASKPASS: "/bin/ask",
    DISPLAY: ":0",
    LANG: "de",
    LC_ALL: "de",
    REPRISE_TOKEN: "secret",
  });
  assert.deepEqual(env, {
    PATH: "/bin",
    SSH_AUTH_SOCK: "/agent",
    SSH_ASKPASS_REQUIRE: "never",
  });
});
