/** The package as its users get it: packed, installed into an empty directory, and used for a session. */
import assert from "node:assert/strict";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { z } from "zod";
import { SessionId } from "../src/contract/id.ts";
import { endDaemon } from "../src/executors/fixtures/end-daemon.ts";
import { within } from "../src/kit/deadline.ts";

const repository = join(import.meta.dirname, "..");
const run = promisify(execFile);

let scratch: string;
let project: string;
let home: string;
let packed: string[];

before(async () => {
  scratch = await mkdtemp(join(tmpdir(), "reprise-package-"));
  project = join(scratch, "project");
  home = join(scratch, "home");
  await mkdir(project);
  await writeFile(join(project, "package.json"), '{"private":true}');
  const { stdout } = await npm(
    repository,
    "pack",
    "--json",
    "--pack-destination",
    scratch,
  );
  const [tarball] = Packed.parse(
    JSON.parse(stdout.slice(stdout.indexOf("[\n"))),
  );
  assert.ok(tarball);
  packed = tarball.files.map(({ path }) => path);
  await npm(
    project,
    "install",
    "--prefer-offline",
    "--prefix",
    project,
    join(scratch, tarball.filename),
  );
});

after(async () => {
  await endDaemon(home);
  await rm(scratch, { recursive: true, force: true });
});

test("what is shipped is JavaScript, the programs of agentctl, and the documents", () => {
  for (const path of [
    "bin/reprise",
    "dist/bin.js",
    "dist/client/client.js",
    "dist/client/client.d.ts",
    "dist/bundle/agentctl.js",
    "dist/bundle/demo-agent.js",
    "dist/bundle/stream-json.js",
    "dist/bundle/LICENSES.txt",
    "README.md",
    "LICENSE",
  ])
    assert.ok(packed.includes(path), path);
  assert.deepEqual(
    packed.filter((path) =>
      /^(src|test|scripts|bench)\/|\.test\.|fixtures|conformance|(?<!\.d)\.ts$/.test(
        path,
      ),
    ),
    [],
  );
});

test("the installed command answers", async () => {
  const { stdout, stderr } = await reprise("--help");
  assert.match(stdout, /reprise up/);
  assert.equal(stderr, "");
});

test("a session with the installed package", async (t) => {
  const server = await up();
  t.after(() => server.child.kill("SIGKILL"));

  const started = await reprise(
    "session",
    "start",
    "remember tea=green",
    "--follow",
  );
  const id = SessionId.parse(/ses_[0-9a-z]{26}/.exec(started.stdout)?.[0]);
  const asked = await reprise(
    "session",
    "prompt",
    id,
    "recall tea",
    "--follow",
  );
  assert.match(asked.stdout, /tea=green/);

  await reprise("session", "pause", id);
  const resumed = await reprise("session", "resume", id, "--json");
  const { resume } = Resumed.parse(JSON.parse(resumed.stdout));
  assert.deepEqual(resume, { grade: "native", verified: true });
  await reprise("session", "end", id);

  // agentctl runs from its copy in the home, so the package may be replaced under it.
  assert.ok(
    (await readdir(join(home, "agentctl"))).some((name) =>
      /^\d+\.\d+\.\d+.*-[0-9a-f]{8}$/.test(name),
    ),
  );

  server.child.kill("SIGINT");
  assert.deepEqual(
    await within("stopping the server", 20_000, once(server.child, "exit")),
    [0, null],
  );
});

const Packed = z.array(
  z.object({
    filename: z.string(),
    files: z.array(z.object({ path: z.string() })),
  }),
);
const Resumed = z.object({
  resume: z.object({ grade: z.string(), verified: z.boolean() }),
});

/** The user's shell: the machine's own Node, nothing of the npm that runs this test. */
const environment = (): NodeJS.ProcessEnv => {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(npm_(?!config_)|npm_config_local_prefix|REPRISE_|INIT_CWD|NODE_)/.test(
          name,
        ),
    ),
  );
  env["PATH"] = (env["PATH"] ?? "")
    .split(":")
    .filter((entry) => !entry.endsWith("node_modules/.bin"))
    .join(":");
  return env;
};

const npm = (cwd: string, ...argv: string[]) =>
  run("npm", [...argv, "--no-audit", "--no-fund"], {
    cwd,
    env: environment(),
    maxBuffer: 64 * 1024 * 1024,
  });

const ours = (): NodeJS.ProcessEnv => ({
  ...environment(),
  HOME: scratch,
  REPRISE_HOME: home,
});
const command = (): string => join(project, "node_modules/.bin/reprise");

const reprise = (...argv: string[]) =>
  run(command(), argv, { cwd: project, env: ours() });

/** A server on a free port; ready when it has said where it is. */
const up = async (): Promise<{ child: ChildProcess }> => {
  const child = spawn(command(), ["up", "--port", "0", "--no-open"], {
    cwd: project,
    env: ours(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ready = (async () => {
    for await (const line of createInterface(child.stdout))
      if (line.includes("http://127.0.0.1:")) return;
    throw new Error("the server ended before it was up");
  })();
  await within("starting the server", 60_000, ready);
  child.stdout.resume();
  return { child };
};
