import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { RepriseError } from "../../contract/problem/problem.ts";
import { socketPath } from "./socket-path.ts";

const scratch = async (t: TestContext): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), "rp-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
};
const deep = (base: string): string => join(base, "d".repeat(100));
const isUnavailable = (error: unknown): boolean =>
  error instanceof RepriseError && error.code === "agentctl_unavailable";

test("a socket is in its home while its path is short enough", async () => {
  assert.equal(
    await socketPath("/home/ada/.reprise", {}),
    "/home/ada/.reprise/agentctl/agentctl.sock",
  );
});

test("a home too deep has its socket in a 0700 runtime directory, one name per home", async (t) => {
  const base = await scratch(t);
  const env = { XDG_RUNTIME_DIR: base, TMPDIR: "/nowhere" };
  const path = await socketPath(deep(base), env);
  assert.equal(dirname(path), join(base, `reprise-${process.getuid?.()}`));
  assert.equal((await stat(dirname(path))).mode & 0o777, 0o700);
  assert.ok(Buffer.byteLength(path) <= 103);
  assert.equal(await socketPath(deep(base), env), path);
  assert.notEqual(await socketPath(deep(base) + "x", env), path);
});

test("length is counted in bytes, not characters", async (t) => {
  const base = await scratch(t);
  const home = join(base, "ü".repeat(45));
  const path = await socketPath(home, { XDG_RUNTIME_DIR: base });
  assert.ok(!path.startsWith(home));
});

test("a runtime directory that is too deep itself gives way to the temporary one", async (t) => {
  const base = await scratch(t);
  const path = await socketPath(deep(base), {
    XDG_RUNTIME_DIR: deep(base),
    TMPDIR: base,
  });
  assert.ok(path.startsWith(join(base, "reprise-")));
  await assert.rejects(
    socketPath(deep(base), { TMPDIR: deep(base) }),
    isUnavailable,
  );
});

test("a directory others can enter, or a link in its place, is refused", async (t) => {
  const base = await scratch(t);
  const ours = join(base, `reprise-${process.getuid?.()}`);
  await mkdir(ours);
  await chmod(ours, 0o755);
  const env = { XDG_RUNTIME_DIR: base };
  await assert.rejects(socketPath(deep(base), env), isUnavailable);
  await rm(ours, { recursive: true });
  await writeFile(ours, "");
  await assert.rejects(socketPath(deep(base), env), isUnavailable);
});

test("a running daemon is found where it said it listens, whatever our variables are", async (t) => {
  const base = await scratch(t);
  const home = deep(base);
  await mkdir(join(home, "agentctl"), { recursive: true });
  const path = await socketPath(home, { XDG_RUNTIME_DIR: base });
  await writeFile(
    join(home, "agentctl", "agentctl.json"),
    JSON.stringify({ pid: 1, socket: path }),
  );
  assert.equal(await socketPath(home, { TMPDIR: tmpdir() }), path);
});
