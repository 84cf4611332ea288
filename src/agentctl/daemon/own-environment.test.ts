import assert from "node:assert/strict";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { linkMethods, type StartOrder } from "../../contract/link/link.ts";
import { openShell, ShellWatcher } from "../fixtures/test-shell.ts";
import { newOwner, OnNetwork } from "../fixtures/on-network.ts";
import { overOwn, ownEnvironment, startedOverOwn } from "./own-environment.ts";

test("[LNK-117] nothing of ours, of npm or of the service manager is handed on; PATH and HOME are always there", () => {
  const of = ownEnvironment({
    PATH: "/opt/bin:/usr/bin",
    LANG: "C.UTF-8",
    HTTPS_PROXY: "http://proxy",
    REPRISE_TOKEN: "secret",
    REPRISE_EXECUTION: "exe_1",
    npm_config_cache: "/x",
    NODE_OPTIONS: "--inspect",
    NOTIFY_SOCKET: "/run/systemd/notify",
    LISTEN_FDS: "1",
    INVOCATION_ID: "1",
    JOURNAL_STREAM: "1:2",
    CREDENTIALS_DIRECTORY: "/run/credentials",
    MEMORY_PRESSURE_WATCH: "/sys",
    WATCHDOG_USEC: "1",
    PWD: "/somewhere",
    SHLVL: "2",
    EMPTY: "",
    NOTHING: undefined,
  });
  assert.deepEqual(of, {
    PATH: "/opt/bin:/usr/bin",
    HOME: homedir(),
    LANG: "C.UTF-8",
    HTTPS_PROXY: "http://proxy",
  });
  assert.match(
    ownEnvironment({})["PATH"] ?? "",
    /^\/usr\/local\/sbin:.*\/bin$/,
  );
});

test("[LNK-117] what an order says lies above it, besides a PATH from the server or a terminal", () => {
  const own = { PATH: "/here", HOME: "/home/me", KEY: "own" };
  assert.deepEqual(overOwn(own, { KEY: "ordered" }), {
    ...own,
    KEY: "ordered",
  });
  assert.deepEqual(overOwn(null, { KEY: "ordered" }), { KEY: "ordered" });
  const env = { PATH: "/there", KEY: "ordered" };
  for (const path_from of ["server", "caller"] as const)
    assert.deepEqual(startedOverOwn(own, { env, path_from }).env, {
      ...own,
      KEY: "ordered",
    });
  assert.equal(startedOverOwn(own, { env }).env["PATH"], "/there");
  const whole = { env, path_from: "server" as const };
  assert.equal(startedOverOwn(null, whole), whole);
});

/** An agent that is found by the PATH of that machine alone, and writes down what it was given. */
const install = async (directory: string, told: string): Promise<void> => {
  await mkdir(directory);
  const demo = join(import.meta.dirname, "../../programs/demo/main.ts");
  const program = join(directory, "here-only");
  await writeFile(
    program,
    `#!/bin/sh\nenv >'${told}'\nexec ${process.execPath} ${demo}\n`,
  );
  await chmod(program, 0o700);
};

test("[LNK-117] agents and shells and commands get it, and a look finds the agents that it has", async () => {
  const SECRET = "hush-4711";
  const env: Record<string, string> = {
    PATH: "/usr/bin:/bin",
    OF_THIS_MACHINE: "yes",
    REPRISE_TOKEN: SECRET,
  };
  await using at = await OnNetwork.start({}, { env });
  const { bench } = at;
  const installed = join(bench.home, "installed");
  const told = join(bench.home, "told");
  await install(installed, told);
  await bench.down();
  env["PATH"] = `${installed}:/usr/bin:/bin`;
  env["HOME"] = bench.home;
  const where = { host: "127.0.0.1", port: at.port, isPlain: false };
  await bench.up({ network: { ...where, token: bench.token, env } });

  const link = await at.link(newOwner());
  const override = { command: ["here-only"] };
  const order: StartOrder = {
    ...bench.order("named", { override }),
    env: { OF_THE_SESSION: "set", PATH: "/of/the/server" },
    path_from: "server",
  };
  await link.call("start", order);
  await link.wait(order, "ready");
  const given = new Map(
    (await readFile(told, "utf8"))
      .split("\n")
      .map((line) => line.split(/=(.*)/s))
      .map(([name = "", value = ""]) => [name, value] as const),
  );
  assert.equal(given.get("PATH"), env["PATH"]);
  assert.equal(given.get("HOME"), bench.home);
  assert.equal(given.get("OF_THIS_MACHINE"), "yes");
  assert.equal(given.get("OF_THE_SESSION"), "set");
  assert.ok(![...given.values()].some((value) => value.includes(SECRET)));

  const { session_id, cwd, definition } = order;
  const agent = { definition, override, env: {}, token: null };
  const seen = linkMethods.look.result.parse(
    await link.call("look", { session_id, execution_id: null, cwd, agent }),
  );
  assert.equal(seen.installed, true);
  const ran = linkMethods.exec.result.parse(
    await link.call("exec", {
      command_id: "cmd_00000000000000000000000001",
      session_id,
      cwd,
      within: ".",
      argv: ["sh", "-c", "echo $OF_THIS_MACHINE $REPRISE_TOKEN"],
      agent,
      env: {},
      stdin: "",
      timeout_ms: 20_000,
    }),
  );
  assert.equal(Buffer.from(ran.stdout, "base64").toString(), "yes\n");

  const shell = await openShell(bench, link);
  const watcher = new ShellWatcher(await at.data(link), shell);
  await watcher.type("echo here=$OF_THIS_MACHINE.\r");
  await watcher.untilSeen("here=yes.");
  await link.stop(order);
});
