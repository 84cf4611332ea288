/** Directories that no sandbox is made round. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { whyNotSandboxed } from "./sandboxed.ts";

test("[SBX-5] what belongs to the machine is no directory for a sandbox", async () => {
  const daemon = { directory: "/nowhere/reprise/agentctl" };
  for (const cwd of ["/proc", "/proc/self", "/dev", "/run", "/etc", "/tmp"])
    assert.match(
      (await whyNotSandboxed(daemon, cwd)) ?? "",
      /belongs to the machine/,
      cwd,
    );
});

test("[SBX-5] a home is kept out of reach where it really is, too", async (t) => {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "homes-")));
  t.after(() => rm(directory, { recursive: true }));
  const real = join(directory, "real/ada");
  await mkdir(real, { recursive: true });
  await symlink(join(directory, "real"), join(directory, "link"));
  useHome(t, join(directory, "link/ada"));
  const daemon = { directory: "/nowhere/reprise/agentctl" };
  for (const cwd of [real, join(directory, "real"), directory])
    assert.match(
      (await whyNotSandboxed(daemon, cwd)) ?? "",
      /out of reach/,
      cwd,
    );
});

const useHome = (t: TestContext, home: string): void => {
  const before = process.env["HOME"];
  t.after(() => {
    if (before === undefined) delete process.env["HOME"];
    else process.env["HOME"] = before;
  });
  process.env["HOME"] = home;
};
