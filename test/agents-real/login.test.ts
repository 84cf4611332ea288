/** Agents that open no session without a login of their own: shown as far as that. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { methods, RequestError } from "@agentclientprotocol/sdk";
import { drive } from "../agents/drive.ts";
import { changedTo, seenUntil, TestHouse } from "../e2e/house.ts";
import { installAgent } from "./install.ts";
import type { LoginAgent } from "./packages.ts";

const AUTH_REQUIRED = -32000;

test("auggie itself: says what it can, and refuses a session without a login", async (t) => {
  await using place = await makePlace("auggie");
  const auggie = drive(t, [
    "env",
    "-i",
    ...variables(place.env),
    "auggie",
    "--acp",
  ]);
  const { agentInfo, agentCapabilities } = await auggie.initialize();
  assert.match(agentInfo?.version ?? "", /^0\.36\.0 /);
  assert.equal(agentCapabilities?.loadSession, true);
  await assert.rejects(
    auggie.agent.request(methods.agent.session.new, {
      cwd: place.directory,
      mcpServers: [],
    }),
    (error) => error instanceof RequestError && error.code === AUTH_REQUIRED,
  );
  await auggie.end();
});

test("[P9] auggie through Reprise: without a login the session says what to do", async () => {
  await using place = await makePlace("auggie");
  await using house = await TestHouse.make({
    agents: { auggie: { env: place.env } },
  });
  const { client } = await house.up();
  const { id } = await client.createSession({
    agent: "auggie",
    cwd: house.workspace,
    prompt: "hello",
  });
  await seenUntil(client, id, changedTo("ERROR"));
  const { error_message, queued_prompts } = await client.showSession(id);
  assert.match(error_message ?? "", /wants a login.*auggie login/);
  assert.equal(queued_prompts[0]?.text, "hello", "the prompt waits");
});

test("amp itself: asks for a login", async () => {
  await using place = await makePlace("amp");
  const said = await new Promise<string>((resolve) => {
    // It would wait for an answer for ever.
    const amp = execFile("amp", ["--execute", "hello"], { env: place.env });
    let text = "";
    const hear = (chunk: string): void => {
      text += chunk;
      if (/login flow/.test(text)) amp.kill("SIGKILL");
    };
    amp.stdout?.on("data", hear);
    amp.stderr?.on("data", hear);
    amp.once("close", () => resolve(text));
  });
  assert.match(
    said,
    process.arch === "x64" ? /No API key found/ : /native binary not installed/,
  );
});

/** The program, a home of its own, and nothing with which it could open a browser. */
const makePlace = async (agent: LoginAgent) => {
  const programs = await installAgent(agent);
  const directory = await mkdtemp(join(tmpdir(), `${agent}-`));
  const [bin, tmp] = [join(directory, "bin"), join(directory, "tmp")];
  for (const path of [bin, tmp]) await mkdir(path);
  await symlink(process.execPath, join(bin, "node"));
  await symlink("/usr/bin/env", join(bin, "env"));
  return {
    directory,
    env: { PATH: `${bin}:${programs}`, HOME: directory, TMPDIR: tmp },
    async [Symbol.asyncDispose]() {
      await rm(directory, { recursive: true, force: true, maxRetries: 10 });
    },
  };
};

const variables = (env: Record<string, string>): string[] =>
  Object.entries(env).map(([name, value]) => `${name}=${value}`);
