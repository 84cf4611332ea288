import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { notCaptured } from "./not-captured.ts";
import { workspaceAt } from "./root.ts";

test("[CHK-4] [CPT-6] in a person's home, what belongs to agents is left out, and what others keep beside it is not", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "person-"));
  t.after(() => rm(home, { recursive: true }));
  await mkdir(join(home, "dotfiles", "claude"), { recursive: true });
  await symlink("dotfiles/claude", join(home, ".claude"));
  const found = await notCaptured(home, {
    ours: join(home, ".reprise"),
    mounts: new Map([["/proc", "proc"]]),
    env: { HOME: home, CODEX_HOME: join(home, "my-codex") },
  });
  const agents = "it belongs to an agent";
  assert.equal(
    found.get(join(home, ".reprise")),
    "it belongs to Reprise itself",
  );
  for (const own of [
    "dotfiles/claude",
    "my-codex",
    ".gemini",
    ".config/opencode",
    ".local/share/opencode",
  ])
    assert.equal(found.get(join(home, own)), agents, own);
  for (const other of ["", ".config", ".codex", ".local/share"])
    assert.equal(found.has(join(home, other)), false, other);
  assert.equal(found.has("/proc"), false, "it is elsewhere");
});

test("[CHK-4] of the whole machine, no view of the kernel is entered", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "home-"));
  t.after(() => rm(home, { recursive: true }));
  const { leaveOut = [], why } = await workspaceAt(home, "/", {});
  const kernels = process.platform === "linux" ? "/proc" : "/dev";
  assert.ok(leaveOut.includes(kernels));
  assert.match(why.get(kernels.slice(1)) ?? "", /file system/);
  await assert.rejects(workspaceAt(home, kernels, {}), {
    code: "not_permitted",
  });
});
