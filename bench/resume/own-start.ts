/** The floor of a resume: the same program on the same Node, started and asked by nobody but us. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { now, type Span } from "../clock.ts";
import type { TestHouse } from "../../test/e2e/house.ts";

/** From the start of the demo agent until it has opened its session again. */
export const ownStart = async (
  house: TestHouse,
  sessionId: string,
  cwd: string,
): Promise<Span> => {
  const programs = await installation(house.home);
  const from = now();
  const agent = spawn(
    join(programs, "node"),
    [join(programs, "demo-agent.js")],
    { cwd, env: house.env(), stdio: ["pipe", "pipe", "inherit"] },
  );
  const answers = createInterface(agent.stdout)[Symbol.asyncIterator]();
  const ask = async (id: number, method: string, params: object) => {
    const request = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    agent.stdin.write(`${request}\n`);
    const { value } = await answers.next();
    if (typeof value !== "string" || value.includes('"error"'))
      throw new Error(`${method} was not answered: ${value}`);
  };
  await ask(1, "initialize", { protocolVersion: 1, clientCapabilities: {} });
  await ask(2, "session/resume", { sessionId, cwd, mcpServers: [] });
  const to = now();
  const gone = once(agent, "exit");
  agent.kill("SIGKILL");
  await gone;
  return { from, to };
};

/** Where agentctl starts the demo agent from. */
const installation = async (home: string): Promise<string> => {
  const directory = join(home, "agentctl");
  const entries = await readdir(directory, { withFileTypes: true });
  for (const entry of entries)
    if (
      entry.isDirectory() &&
      (await readdir(join(directory, entry.name))).includes("demo-agent.js")
    )
      return join(directory, entry.name);
  throw new Error(`no installation in ${directory}`);
};
