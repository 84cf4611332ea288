import assert from "node:assert/strict";
import { test } from "node:test";
import { whyNotWorkIn } from "./working-directory.ts";

const machine = { home: "/home/me/.reprise", socket: "/var/run/docker.sock" };

test("[DKR-5] a container is not given what it must not see", () => {
  const refused = [
    "/",
    "relative",
    "/home",
    "/home/me",
    "/home/me/.reprise",
    "/home/me/.reprise/agentctl",
    "/home/me/.reprise/workspaces",
    "/var/run",
    "/var",
    "/proc/self",
    "/sys",
    "/dev/shm/work",
    "/reprise/state",
    "/tmp",
    "/var/tmp",
    "/run",
  ];
  for (const cwd of refused)
    assert.equal(typeof whyNotWorkIn(cwd, machine), "string", cwd);
});

test("[DKR-5] directories below what every container has for itself, and those that the server made, can be worked in", () => {
  const taken = [
    "/home/me/project",
    "/home/me/.reprise-notes",
    "/tmp/project",
    "/run/user/1000/project",
    "/home/me/.reprise/workspaces/ses_1",
    "/process",
    "/..hidden",
  ];
  for (const cwd of taken) assert.equal(whyNotWorkIn(cwd, machine), null, cwd);
  const far = { ...machine, socket: null };
  assert.equal(whyNotWorkIn("/var/project", far), null);
});
