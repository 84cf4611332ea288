/**
 * Libraries with which others drive ACP agents: acp-factory, and the provider that makes a model of the AI SDK out of one.
 * Neither knows of Reprise.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { installPrograms } from "../agents-real/install.ts";
import { type Scene, sharedHouse } from "../e2e/shared-house.ts";
import { DoorScript } from "./door-script.ts";

const test = sharedHouse();

const DRIVERS = {
  packages: {
    "acp-factory": "0.1.14",
    "@mcpc-tech/acp-ai-provider": "0.2.9",
    ai: "6.0.318",
  },
  programs: [],
  scripts: [],
};

/** What we use of acp-factory. */
interface Factory {
  AgentFactory: {
    register(name: string, config: DriverConfig): void;
    spawn(
      name: string,
      options: { permissionMode: "interactive" },
    ): Promise<{
      createSession(cwd: string): Promise<FactorySession>;
      loadSession(id: string, cwd: string): Promise<FactorySession>;
      close(): Promise<void>;
    }>;
  };
}

interface FactorySession {
  id: string;
  modes: string[];
  prompt(text: string): AsyncIterable<FactoryUpdate>;
  respondToPermission(request: string, option: string): void;
}

interface FactoryUpdate {
  sessionUpdate: string;
  requestId?: string;
  content?: { text?: string };
}

/** What we use of the AI SDK and its provider. */
interface Provider {
  createACPProvider(
    settings: DriverConfig & {
      session: { cwd: string; mcpServers: [] };
      persistSession: true;
      authMethodId: string;
      existingSessionId?: string;
    },
  ): {
    languageModel(): object;
    tools: object;
    getSessionId(): string | null;
    cleanup(): void;
  };
}

interface AiSdk {
  streamText(asked: { model: object; tools: object; prompt: string }): {
    fullStream: AsyncIterable<{ type: string; text?: string }>;
  };
}

interface DriverConfig {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

const fromDrivers = async <T>(path: string): Promise<T> => {
  const programs = await installPrograms("acp-drivers", DRIVERS);
  const file = join(programs, "../node_modules", path);
  return import(pathToFileURL(file).href);
};

const configOf = ({ house }: Scene, door: DoorScript): DriverConfig => ({
  command: door.path,
  args: [],
  env: house.env({ REPRISE_PORT: "0" }),
});

test("[ACP-6] [ACP-8] [ACP-15] [ACP-19] acp-factory drives a session, and loads it again after kill -9 of the door", async (scene) => {
  const { AgentFactory } = await fromDrivers<Factory>(
    "acp-factory/dist/index.js",
  );
  const door = await DoorScript.in(scene.workspace);
  AgentFactory.register("reprise", configOf(scene, door));
  const options = { permissionMode: "interactive" } as const;
  /** It loses an update that comes with the answer, so the turn ends only when the words have been seen. */
  const hear = async (
    session: FactorySession,
    prompt: string,
    words: string,
  ): Promise<string> => {
    using latch = scene.house.latch();
    let said = "";
    for await (const update of session.prompt(`${prompt}\nrun ${latch.wait}`)) {
      if (update.sessionUpdate === "agent_message_chunk")
        said += update.content?.text ?? "";
      if (update.sessionUpdate === "permission_request")
        session.respondToPermission(update.requestId ?? "", "allow_once");
      if (said.includes(words)) latch.open();
    }
    return said;
  };

  const first = await AgentFactory.spawn("reprise", options);
  const session = await first.createSession(scene.workspace);
  assert.deepEqual(session.modes, ["work", "read-only"]);
  await hear(session, "remember a=b\nask-write a.txt hello", "I wrote a.txt");
  assert.equal(await readFile(join(scene.workspace, "a.txt"), "utf8"), "hello");
  await door.kill();
  await assert.rejects(hear(session, "recall a", "a=b"), /closed/);
  await first.close();

  const second = await AgentFactory.spawn("reprise", options);
  const loaded = await second.loadSession(session.id, scene.workspace);
  const replayed = await hear(loaded, "recall a", "a=b");
  // It hands out the replay with the first answer.
  assert.match(replayed, /^I will remember a\.[^]*I wrote a\.txt\.[^]*a=b/);
  const said = await hear(loaded, "recall a", "a=b");
  assert.match(said, /^a=b/);
  await second.close();
  const { turn_count } = await scene.client.showSession(session.id);
  assert.equal(turn_count, 3);
});

test("[ACP-6] [ACP-8] [ACP-15] [ACP-19] a model of the AI SDK goes on with the same session after kill -9 of the door", async (scene) => {
  const { createACPProvider } = await fromDrivers<Provider>(
    "@mcpc-tech/acp-ai-provider/index.mjs",
  );
  const { streamText } = await fromDrivers<AiSdk>("ai/dist/index.mjs");
  const door = await DoorScript.in(scene.workspace);
  const driver = (existingSessionId?: string) =>
    createACPProvider({
      ...configOf(scene, door),
      session: { cwd: scene.workspace, mcpServers: [] },
      persistSession: true,
      authMethodId: "login",
      ...(existingSessionId !== undefined && { existingSessionId }),
    });
  const hear = async (
    provider: ReturnType<typeof driver>,
    prompt: string,
  ): Promise<{ said: string; kinds: string[] }> => {
    const { fullStream } = streamText({
      model: provider.languageModel(),
      tools: provider.tools,
      prompt,
    });
    const kinds: string[] = [];
    let said = "";
    for await (const { type, text = "" } of fullStream) {
      kinds.push(type);
      if (type === "text-delta") said += text;
    }
    return { said, kinds };
  };

  const first = driver();
  await hear(first, "remember a=b");
  const wrote = await hear(first, "ask-write a.txt hello");
  assert.equal(wrote.said, "I wrote a.txt.\n");
  for (const kind of ["tool-call", "tool-result", "finish"])
    assert.ok(wrote.kinds.includes(kind), kind);
  const counted = await hear(first, "count 5 20");
  assert.equal(counted.said, "1\n2\n3\n4\n5\n");
  const id = first.getSessionId() ?? assert.fail("it has no session");
  await door.kill();
  first.cleanup();

  const second = driver(id);
  assert.equal((await hear(second, "recall a")).said, "a=b\n");
  assert.equal(second.getSessionId(), id);
  second.cleanup();
  const { turn_count } = await scene.client.showSession(id);
  assert.equal(turn_count, 4);
});
