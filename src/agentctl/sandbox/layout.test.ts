import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chown,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { commandLines } from "../../kit/fixtures/command-lines.ts";
import { until } from "../../kit/fixtures/patience.ts";
import {
  findBubblewrap,
  isBubblewrap,
  whyNoSandboxes,
} from "../../kit/processes/bubblewrap.ts";
import { endMarked } from "../../kit/processes/marked-processes.ts";
import { type Layout, sandboxArgs } from "./layout.ts";
import { findPrograms, findSystem, findTools, isShowable } from "./machine.ts";

const why = await whyNoSandboxes(process.env);
const skip = why === null || process.env["CI"] === "true" ? false : why;
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

test("[SBX-4] what cannot be used is told apart, and no other platform is tried", async () => {
  const of = async (
    env: Record<string, string>,
    platform?: NodeJS.Platform,
  ) => {
    const found = await findBubblewrap(env, platform);
    return "why" in found ? found.why : found.program;
  };
  assert.match(await of({ REPRISE_BWRAP: "/nowhere" }), /not installed/);
  assert.equal(await of({ REPRISE_BWRAP: "/bin/sh" }), "/bin/sh");
  assert.match(await of({}, "darwin"), /Linux/);
  assert.match(
    (await whyNoSandboxes({ REPRISE_BWRAP: "/bin/false" })) ?? "",
    /doctor/,
  );
});

test("[SBX-5] of what a PATH names nothing is shown that holds a home or the workspace, nor what lies in the home of Reprise", async (t) => {
  const root = await mkdtemp(join(tmpdir(), "layout-"));
  t.after(() => rm(root, { recursive: true, force: true }));
  const home = join(root, "me");
  const reprise = join(home, ".reprise");
  const cwd = join(home, "project");
  const programs = join(reprise, "agentctl/build");
  const kept = { people: [home], reprise, programs, cwd };
  const tools = join(home, "tools");
  for (const path of ["bin", "lib", "share"])
    await mkdir(join(tools, path), { recursive: true });
  for (const path of [programs, join(cwd, "bin"), join(reprise, "bin")])
    await mkdir(path, { recursive: true });
  const path = [
    join(tools, "bin"),
    home,
    root,
    "/",
    reprise,
    join(reprise, "bin"),
    join(cwd, "bin"),
    "relative",
    join(root, "missing"),
    "/usr/bin",
  ].join(":");
  assert.deepEqual(await findTools(path, kept), [
    join(tools, "bin"),
    join(tools, "lib"),
  ]);
  assert.ok(isShowable(programs, kept));
  assert.ok(!isShowable(join(reprise, "token"), kept));
});

test("[SBX-5] of a command line the program is shown, its script and their package, and no file that is an argument", async (t) => {
  const root = await mkdtemp(join(tmpdir(), "layout-"));
  t.after(() => rm(root, { recursive: true, force: true }));
  const home = join(root, "me");
  const reprise = join(home, ".reprise");
  const programs = join(reprise, "agentctl/build");
  const kept = { people: [home], reprise, programs, cwd: join(home, "work") };
  const file = async (path: string): Promise<string> => {
    const whole = join(home, path);
    await mkdir(dirname(whole), { recursive: true });
    await writeFile(whole, "");
    return whole;
  };
  const secret = await file(".ssh/config");
  const script = await file("agents/agent.py");
  const node = await file("node/bin/node");
  const adapter = await file(".reprise/agentctl/build/stream-json.js");
  await file("project/package.json");
  const beside = await file("project/tool");
  const packed = "lib/node_modules/@some/agent";
  const main = await file(`${packed}/dist/main.js`);
  const inner = await file(`${packed}/node_modules/inner/bin/run`);
  const linked = join(home, "agents/linked");
  await symlink(main, linked);

  const shown = (...argv: string[]) => findPrograms(argv, kept);
  assert.deepEqual(await shown("cat", secret), []);
  assert.deepEqual(await shown("/bin/cat", secret), []);
  assert.deepEqual(await shown(script, secret), [script]);
  assert.deepEqual(await shown(beside), [beside], "no package of npm");
  assert.deepEqual(await shown("/usr/bin/python3.12", "-u", script, secret), [
    script,
  ]);
  assert.deepEqual(await shown(linked, secret), [linked, join(home, packed)]);
  assert.deepEqual(await shown(inner), [
    inner,
    join(home, packed, "node_modules/inner"),
  ]);
  assert.deepEqual(await shown(node, adapter, "--dialect", "amp", "--", main), [
    node,
    adapter,
    main,
    join(home, packed),
  ]);
  assert.deepEqual(await shown(node, script, "--", secret), [node, script]);
  assert.deepEqual(await shown(join(reprise, "token")), []);
  assert.deepEqual(await shown(join(home, "missing")), []);
});

for (const uid of isRoot ? [0, NOBODY] : [process.getuid?.() ?? 0])
  test(
    `[SBX-5] [SBX-10] as ${uid === 0 ? "root" : "a plain user"}: only the directory is written, and the mark ends all of it`,
    { skip },
    async (t) => {
      const found = await findBubblewrap(process.env);
      assert.ok("program" in found);
      const home = await mkdtemp(join(tmpdir(), "layout-"));
      t.after(() => rm(home, { recursive: true, force: true }));
      const cwd = join(home, "work");
      await mkdir(cwd);
      await writeFile(join(home, "secret"), "hush-4711", { mode: 0o644 });
      for (const path of [home, cwd]) if (isRoot) await chown(path, uid, uid);
      const layout: Layout = {
        sandbox: { network: "off" },
        proxy: null,
        uid,
        system: await findSystem(),
        empty: [home],
        readable: [],
        writable: [],
        cwd,
        within: cwd,
      };
      const args = sandboxArgs(layout);
      const seconds = `${uid + 1}${process.pid}00`;
      const script = `cat ../secret >got; echo x >../out; echo x >/x; echo mine >mine; env -i setsid sleep ${seconds} & exec sleep 5${process.pid}00`;
      const MARK = `sandbox-${process.pid}-${uid}`;
      const child: ChildProcess = spawn(
        found.program,
        [...args, "--", "sh", "-c", script],
        {
          env: { PATH: "/usr/bin:/bin", MARK },
          stdio: "ignore",
          detached: true,
          cwd: "/",
          uid,
          gid: uid,
        },
      );
      const gone = once(child, "exit");
      await until(() => commandLines(`sleep ${seconds}`).length === 1);
      const line = await readFile(`/proc/${child.pid}/cmdline`, "utf8");
      assert.ok(
        isBubblewrap(line.replaceAll("\0", " ")) || uid !== process.getuid?.(),
      );
      assert.ok(await endMarked(`MARK=${MARK}`, 20_000));
      await until(() => commandLines(`sleep ${seconds}`).length === 0);
      await gone;
      assert.equal(await readFile(join(cwd, "got"), "utf8"), "");
      assert.equal(await readFile(join(cwd, "mine"), "utf8"), "mine\n");
      await assert.rejects(readFile(join(home, "out")), { code: "ENOENT" });
      await assert.rejects(readFile("/x"), { code: "ENOENT" });
    },
  );
