/** The packages as their users get them: packed, installed into empty directories, and used for a session. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import * as z from "zod";
import { SessionId } from "../src/contract/base/id.ts";
import { endDaemon } from "../src/executors/fixtures/end-daemon.ts";
import { within } from "../src/kit/time/deadline.ts";
import { patience } from "../src/kit/fixtures/patience.ts";
import { environment, npm } from "./package/npm.ts";
import { type Registry, startRegistry } from "./package/registry.ts";

const repository = join(import.meta.dirname, "..");
const run = promisify(execFile);

let scratch: string;
/** Where the program is installed. */
let project: string;
/** Another project, which has the client alone. */
let clientProject: string;
let home: string;
let packed: string[];
/** The program as `npm pack` made it. */
let tarball: string;
let registry: Registry;

/** Compiling everything twice and three runs of npm: minutes on a busy machine. */
const setUpLimit = { timeout: patience(400_000) };

before(async () => {
  scratch = await mkdtemp(join(tmpdir(), "reprise-package-"));
  const { stdout: upstream } = await npm(scratch, "config", "get", "registry");
  registry = await startRegistry(repository, upstream.trim());
  project = join(scratch, "project");
  home = join(scratch, "home");
  clientProject = join(scratch, "client-project");
  for (const directory of [project, clientProject]) {
    await mkdir(directory);
    await writeFile(
      join(directory, "package.json"),
      '{"private":true,"type":"module"}',
    );
  }
  const { stdout } = await npm(
    repository,
    "pack",
    "--json",
    "--pack-destination",
    scratch,
  );
  const [program] = Packed.parse(
    JSON.parse(stdout.slice(stdout.indexOf("[\n"))),
  );
  assert.ok(program);
  tarball = join(scratch, program.filename);
  packed = program.files.map(({ path }) => path);
  await installInto(project, tarball);
  await installInto(
    clientProject,
    join(repository, `dist/reprise-client-${program.version}.tgz`),
  );
}, setUpLimit);

after(async () => {
  await endDaemon(home);
  await registry[Symbol.asyncDispose]();
  await rm(scratch, { recursive: true, force: true, maxRetries: 10 });
});

test("what is shipped is JavaScript, the programs of agentctl, the documents and the examples", () => {
  for (const path of [
    "bin/reprise",
    "bin/find-node",
    "dist/bin.js",
    "dist/client/client.js",
    "dist/client/client.d.ts",
    "dist/client/sdk/reprise.js",
    "dist/local/local-reprise.js",
    "dist/local/local-reprise.d.ts",
    "dist/bundle/agentctl.js",
    "dist/bundle/demo-agent.js",
    "dist/bundle/stream-json.js",
    "dist/LICENSES.txt",
    "dist/page/index.html",
    "dist/page/favicon.svg.br",
    "examples/start-and-watch.ts",
    "examples/test-session-resume-passkey.js",
    "acp/agent.json",
    "README.md",
    "LICENSE",
  ])
    assert.ok(packed.includes(path), path);
  assert.deepEqual(
    packed.filter((path) =>
      /^(src|test|scripts|bench)\/|\.test\.|fixtures|conformance|reprise-client|^(?!examples\/).*(?<!\.d)\.ts$/.test(
        path,
      ),
    ),
    [],
  );
});

test("[PAG-11] the page is shipped with the licences of what it carries", async () => {
  const dist = join(project, "node_modules/reprise/dist");
  const licences = await readFile(join(dist, "LICENSES.txt"), "utf8");
  for (const name of ["react", "react-dom", "wouter", "zod"])
    assert.match(licences, new RegExp(`^${name}$`, "m"));
  const html = await readFile(join(dist, "page/index.html"), "utf8");
  for (const [, path = ""] of html.matchAll(/"\/(assets\/[^"]+)"/g))
    for (const name of [path, `${path}.br`, `${path}.gz`])
      assert.ok(packed.includes(`dist/page/${name}`), name);
});

test("[PKG-5] npx runs the installed command", async () => {
  const options = { cwd: project, env: environment() };
  const { stdout } = await run("npx", ["reprise", "--version"], options);
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
});

test("[PKG-5] installed globally it is one command, and its Node is nobody else's", async () => {
  const prefix = join(scratch, "global");
  await install(scratch, "--global", "--prefix", prefix, tarball);
  assert.deepEqual(await readdir(join(prefix, "bin")), ["reprise"]);
  const options = { env: environment() };
  const { stdout } = await run(
    join(prefix, "bin/reprise"),
    ["--version"],
    options,
  );
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
});

test("[PKG-4] reprise-client brings zod and nothing else: no program, no Node", async () => {
  const names = await readdir(join(clientProject, "node_modules"));
  assert.deepEqual(
    names.filter((name) => name !== ".package-lock.json").toSorted(),
    ["reprise-client", "zod"],
  );
});

test("[PKG-4] the example of reprise-client runs on the machine's own Node", async (t) => {
  const server = await up();
  t.after(() => server.kill());
  const readme = await readFile(
    join(clientProject, "node_modules/reprise-client/README.md"),
    "utf8",
  );
  const example = /^```js\n([\s\S]*?)^```$/m.exec(readme)?.[1] ?? "";
  const printed = await runScript(clientProject, example, server.url);
  assert.match(printed, /^agent .*colour/m);
  assert.match(printed, /^completed \[\]$/m);
  const { stdout } = await reprise("session", "list", "--json");
  const [session] = Listed.parse(JSON.parse(stdout)).sessions;
  await reprise("session", "end", session?.id ?? "");
});

test("[PKG-5] reprise/client is the same client, on the machine's own Node too", async (t) => {
  const server = await up();
  t.after(() => server.kill());
  const printed = await runScript(
    project,
    `import { connect } from "reprise/client";
    import { problems } from "reprise/contract/problem";
    const client = connect({ url: process.env.REPRISE_URL, token: process.env.REPRISE_TOKEN });
    const { agents } = await client.listAgents();
    console.log(agents.some(({ id }) => id === "demo"), "session_not_found" in problems);
    import { localReprise } from "reprise/client/node";
    const reprise = await localReprise();
    const session = await reprise.sessions.start({});
    const { status } = await (await session.prompt("hello")).result();
    console.log(status);
    await session.end();`,
    server.url,
  );
  assert.equal(printed, "true true\ncompleted\n");
});

for (const [name, options] of [
  ["Node", ["--module", "nodenext"]],
  ["a bundler", ["--module", "esnext", "--moduleResolution", "bundler"]],
] as const)
  test(`[PKG-4] a strict TypeScript project for ${name} has the client's types`, async () => {
    const file = join(clientProject, `${options.length}.ts`);
    await writeFile(
      file,
      `import { connect, type Client, Reprise, type TurnResult } from "reprise-client";
      import { RepriseError } from "reprise-client/contract/problem";
      const client: Client = connect({ url: "http://127.0.0.1" });
      export const version: Promise<string> = client.health().then((it) => it.version);
      // @ts-expect-error -- the name of a session is text
      void client.createSession({ name: 1 });
      const reprise = new Reprise({ url: "http://127.0.0.1" });
      export const result: Promise<TurnResult> = reprise.session("ses_1").turn("prm_1").result();
      export const isRefusal = (it: unknown): boolean => it instanceof RepriseError;\n`,
    );
    const flags = ["--noEmit", "--strict", "--target", "es2022", "--types", ""];
    // It is one file: other threads would check the same types again.
    flags.push("--singleThreaded");
    await run(
      join(repository, "node_modules/.bin/tsc"),
      [...flags, "--lib", "es2023,dom", ...options, file],
      { cwd: clientProject },
    );
  });

test("the installed command answers", async () => {
  const { stdout, stderr } = await reprise("--help");
  assert.match(stdout, /reprise up/);
  assert.equal(stderr, "");
});

test("a session with the installed package", async (t) => {
  const server = await up();
  t.after(() => server.kill());

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
    await within(
      "stopping the server",
      patience(20_000),
      once(server.child, "exit"),
    ),
    [0, null],
  );
});

const Packed = z.array(
  z.object({
    filename: z.string(),
    version: z.string(),
    files: z.array(z.object({ path: z.string() })),
  }),
);
const Listed = z.object({ sessions: z.array(z.object({ id: SessionId })) });
const Resumed = z.object({
  resume: z.object({ grade: z.string(), verified: z.boolean() }),
});

const installInto = (directory: string, tarball: string) =>
  install(directory, "--prefix", directory, tarball);

/** Downloads only what no earlier run has left in npm's cache. */
const install = (cwd: string, ...argv: string[]) =>
  npm(
    cwd,
    "install",
    "--prefer-offline",
    `--registry=${registry.url}`,
    ...argv,
  );

/** A program of a project that uses us, on the machine's own Node. Resolves with what it printed. */
const runScript = async (
  cwd: string,
  source: string,
  url: string,
): Promise<string> => {
  const script = join(cwd, "script.js");
  await writeFile(script, source);
  const token = await readFile(join(home, "token"), "utf8");
  const env = {
    ...environment(),
    REPRISE_URL: url,
    REPRISE_TOKEN: token.trim(),
  };
  return (await run("node", [script], { cwd, env })).stdout;
};

const ours = (): NodeJS.ProcessEnv => ({
  ...environment(),
  HOME: scratch,
  REPRISE_HOME: home,
});
const command = (): string => join(project, "node_modules/.bin/reprise");

const reprise = (...argv: string[]) =>
  run(command(), argv, { cwd: project, env: ours() });

/** A server on a free port; ready when it has said where it is. */
const up = async () => {
  const child = spawn(command(), ["up", "--port", "0", "--no-open"], {
    cwd: project,
    env: ours(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const ready = (async () => {
    for await (const line of createInterface(child.stdout)) {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (url !== undefined) return url;
    }
    throw new Error("the server ended before it was up");
  })();
  const url = await within("starting the server", patience(60_000), ready);
  child.stdout.resume();
  // The next one takes over when it has ended.
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  return { child, url, kill };
};
