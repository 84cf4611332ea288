import assert from "node:assert/strict";
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import * as z from "zod";
import {
  ExecutorSettings,
  hostsOfKind,
} from "../../contract/link/executor-settings.ts";
import { runCli, type Outcome } from "../fixtures/run-cli.ts";

const Config = z.object({ executors: ExecutorSettings });
const Pid = z.object({ pid: z.number() });

const homeFor = async (t: TestContext): Promise<string> => {
  const home = await mkdtemp(join(tmpdir(), "reprise-host-"));
  t.after(() => rm(home, { recursive: true, force: true, maxRetries: 10 }));
  return join(home, "h");
};

const pidIn = (home: string): number =>
  Pid.parse(
    JSON.parse(readFileSync(join(home, "agentctl/agentctl.json"), "utf8")),
  ).pid;

test("[LNK-120] it prints where it is reached and what the server's config.json needs, and runs from the home's own Node", async (t) => {
  const home = await homeFor(t);
  let executable = "";
  let second: Promise<Outcome> | null = null;
  const args = ["agentctl", "--listen", "127.0.0.1:0", "--home", home];
  const { code, stdout, stderr } = await runCli(t, args, {
    watch: (sofar, kill) => {
      if (!sofar.includes("takes them over.") || second !== null) return;
      if (process.platform === "linux")
        executable = readlinkSync(`/proc/${pidIn(home)}/exe`);
      second = runCli(t, args);
      void second.finally(() => kill("SIGTERM"));
    },
  });
  assert.deepEqual([code, stderr], [0, ""]);
  if (process.platform === "linux")
    assert.ok(executable.startsWith(join(home, "agentctl/")), executable);
  const { executors } = Config.parse(
    JSON.parse(stdout.slice(stdout.indexOf("{"), stdout.lastIndexOf("}") + 1)),
  );
  const [entry] = Object.values(hostsOfKind(executors, "remote"));
  assert.match(entry?.address ?? "", /^127\.0\.0\.1:[1-9]\d*$/);
  assert.ok(stdout.startsWith(`agentctl listens on ${entry?.address}\n`));
  assert.ok(stdout.includes(`fingerprint  ${entry?.fingerprint}\n`));
  const token = join(home, "agentctl/token");
  assert.equal(entry?.token_file, token);
  assert.ok(stdout.includes(`token file   ${token}\n`));
  assert.equal((await stat(token)).mode & 0o777, 0o600);
  assert.equal(existsSync(join(home, "agentctl/agentctl.json")), false);

  const other = await (second as Promise<Outcome> | null);
  assert.equal(other?.code, 3);
  assert.equal(other?.stderr, `another agentctl is running in ${home}\n`);
  assert.equal(other?.stdout, "");
});

test("[LNK-120] with --json it prints one line", async (t) => {
  const home = await homeFor(t);
  const args = ["agentctl", "--listen", "[::1]:0", "--home", home, "--json"];
  const { code, stdout } = await runCli(t, args, {
    watch: (sofar, kill) => {
      if (sofar.endsWith("\n")) kill("SIGINT");
    },
  });
  assert.equal(code, 0);
  const { address, fingerprint, ...told } = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(stdout));
  assert.match(String(address), /^\[::1\]:[1-9]\d*$/);
  assert.match(String(fingerprint), /^sha256:[0-9a-f]{64}$/);
  const token_file = join(home, "agentctl/token");
  assert.deepEqual(told, { ready: true, token_file, home });
});

test("[LNK-113] without TLS it listens on addresses of this machine alone", async (t) => {
  const home = await homeFor(t);
  for (const host of ["0.0.0.0", "192.0.2.1", "build-box", "[::]"]) {
    const listen = ["--listen", `${host}:0`, "--plain", "--home", home];
    const { code, stderr } = await runCli(t, ["agentctl", ...listen]);
    assert.equal(code, 2);
    assert.match(stderr, /--plain is for addresses of this machine/);
  }
  assert.equal(existsSync(home), false);
  const args = ["--listen", "127.0.0.1:0", "--plain", "--home", home];
  const { code, stdout } = await runCli(t, ["agentctl", ...args], {
    watch: (sofar, kill) => {
      if (sofar.includes("takes them over.")) kill("SIGTERM");
    },
  });
  assert.equal(code, 0);
  assert.match(stdout, /, without TLS\n/);
  assert.doesNotMatch(stdout, /sha256|"fingerprint"/);
});

test("[LNK-111] a token file must be there, hold a token, and be readable by its user alone", async (t) => {
  const home = await homeFor(t);
  const file = `${home}.token`;
  const listen = ["agentctl", "--listen", "127.0.0.1:0", "--home", home];
  const refusal = async (): Promise<string> => {
    const args = [...listen, "--token-file", file];
    const { code, stdout, stderr } = await runCli(t, args);
    assert.deepEqual([code, stdout], [1, ""]);
    return stderr;
  };
  assert.match(await refusal(), /There is no file .*leave out --token-file/);
  await writeFile(file, "short\n", { mode: 0o600 });
  assert.match(await refusal(), /does not hold a token/);
  await rm(file);
  await writeFile(file, `${"x".repeat(64)}\n`, { mode: 0o644 });
  assert.match(await refusal(), /can be read by others.*chmod 600/);
});

test("an address that is none, and options that do not go together, are told", async (t) => {
  for (const [args, words] of [
    [["--listen", "7421"], /"7421" is no address to listen on/],
    [["--listen", "a:99999"], /"a:99999" is no address to listen on/],
    [["--listen", "a:1", "--socket", "/s"], /do not go together/],
    [[], /--listen HOST:PORT/],
    [["--socket", "/s"], /--listen HOST:PORT/],
  ] as const) {
    const { code, stderr } = await runCli(t, ["agentctl", ...args]);
    assert.equal(code, 2);
    assert.match(stderr, words);
  }
});
