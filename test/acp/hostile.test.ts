/** Inputs that no editor should send: each is answered with an error of its own, and the door stays open. */
import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { AGENT_METHODS } from "@agentclientprotocol/sdk";
import * as z from "zod";
import { root } from "../e2e/house.ts";
import { sharedHouse } from "../e2e/shared-house.ts";
import { Editor } from "./editor.ts";
import { hostileMethods } from "./hostile-methods.ts";

const bin = join(process.env["TEST_PRODUCT"] ?? root, "bin/reprise");

const test = sharedHouse();

const UNKNOWN = "ses_00000000000000000000000000";
const IDS = [
  UNKNOWN,
  "",
  "..",
  "../../etc/passwd",
  "ses_",
  `ses_${"0".repeat(100_000)}`,
  "\0",
  "ses_0000000000000000000000000\n",
  "__proto__",
  "undefined",
];

/** Right for no method. */
const PARAMS = [
  7,
  "text",
  true,
  [[]],
  {
    sessionId: 7,
    cwd: {},
    cursor: 7,
    methodId: [],
    protocolVersion: "one",
  },
  { sessionId: null, cwd: null, cursor: {}, methodId: null },
];

test("[ACP-24] [ACP-25] ids that name no session are not found, at every method", async ({
  house,
  workspace,
}) => {
  await using editor = await Editor.open(house);
  const { agent } = editor;
  for (const sessionId of IDS)
    for (const [method, hostile] of Object.entries(hostileMethods)) {
      if (hostile.kind === "notification")
        await agent.notify(method, { sessionId });
      if (hostile.kind !== "session") continue;
      const asked = agent.request(method, {
        sessionId,
        ...hostile.more(workspace),
      });
      const which = `${method} ${JSON.stringify(sessionId).slice(0, 100)}`;
      if (hostile.ifUnknown === "done")
        await assert.doesNotReject(asked, which);
      else await assert.rejects(asked, { code: -32002 }, which);
    }
  await editor.start(workspace);
});

test("[ACP-24] [ACP-25] params of wrong types are refused, at every method of the protocol", async ({
  house,
  workspace,
}) => {
  assert.deepEqual(
    Object.keys(hostileMethods).toSorted(),
    Object.values(AGENT_METHODS).toSorted(),
  );
  await using editor = await Editor.open(house);
  const { agent } = editor;
  for (const [method, { kind }] of Object.entries(hostileMethods))
    for (const params of PARAMS) {
      if (kind === "notification") {
        await agent.notify(method, params);
        continue;
      }
      const code = kind === "unserved" ? -32601 : -32602;
      const which = `${method} ${JSON.stringify(params)}`;
      await assert.rejects(agent.request(method, params), { code }, which);
    }
  await editor.start(workspace);
});

test("[ACP-25] the door has no method of which the table of hostile inputs does not know", async () => {
  const source = await readFile(join(root, "src/acp/main.ts"), "utf8");
  const served = Object.values(hostileMethods).filter(
    ({ kind }) => kind !== "unserved",
  );
  const handlers = source.match(/\.on(?:Request|Notification)\(/g) ?? [];
  assert.equal(handlers.length, served.length);
});

test("[ACP-24] [ACP-25] [ACP-35] prompts, directories and servers that cannot be used are refused with words", async ({
  house,
  workspace,
}) => {
  await using editor = await Editor.open(house);
  const { agent } = editor;
  const start = (more: object) =>
    agent.request("session/new", { cwd: workspace, mcpServers: [], ...more });
  const file = join(workspace, "file");
  await writeFile(file, "");
  for (const more of [
    { cwd: join(workspace, "none") },
    { cwd: file },
    { cwd: "" },
    { cwd: "relative" },
    { cwd: "\0" },
    { additionalDirectories: ["/"] },
    {
      mcpServers: [
        { type: "sse" as const, name: "s", url: "http://h/", headers: [] },
      ],
    },
    {
      mcpServers: [
        { type: "http" as const, name: "s", url: "no url", headers: [] },
      ],
    },
  ])
    await assert.rejects(
      start(more),
      { code: -32602, message: /\w+/ },
      JSON.stringify(more),
    );
  const id = await editor.start(workspace);
  const prompt = (...blocks: Parameters<typeof agent.request>[1][]) =>
    agent.request("session/prompt", { sessionId: id, prompt: blocks });
  for (const block of [
    { type: "audio", data: "AAAA", mimeType: "audio/wav" },
    { type: "image", data: "not base 64!", mimeType: "image/png" },
    { type: "image", data: "AAAA", mimeType: "image/png" },
    {
      type: "resource",
      resource: { uri: "file:///x", blob: "AAAA", mimeType: "x/y" },
    },
    { type: "nonsense" },
    { type: "text" },
    null,
    "text",
  ])
    await assert.rejects(
      prompt(block),
      { code: -32602 },
      JSON.stringify(block),
    );
  await assert.rejects(prompt(), { code: -32602 });
  for (const methodId of ["", "other", "__proto__", "x".repeat(100_000)])
    await assert.rejects(agent.request("authenticate", { methodId }), {
      code: -32602,
      message: /There is no login .* The only one is "login"/,
    });
  for (const configId of ["__proto__", "constructor", "none", ""])
    await assert.rejects(
      agent.request("session/set_config_option", {
        sessionId: id,
        configId,
        value: "x",
      }),
      { code: -32602 },
      configId,
    );
  await assert.rejects(
    agent.request("session/list", { cursor: "not a cursor" }),
    { code: -32602 },
  );
  await assert.rejects(agent.request("no/such/method", {}), { code: -32601 });
  await assert.rejects(agent.request("fs/read_text_file", { path: "/" }), {
    code: -32601,
  });
  assert.deepEqual(
    await prompt(
      { type: "text", text: "hi" },
      { type: "resource_link", uri: "file:///x", name: "x" },
      { type: "resource", resource: { uri: "file:///y", text: "y" } },
    ),
    { stopReason: "end_turn" },
  );
  assert.match(editor.said(), /You said: hi/);
});

const Line = z.object({
  id: z.unknown(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number() }).optional(),
});

test("[ACP-25] [ACP-4] lines that are no messages are answered, and nothing but messages is written", async ({
  house,
}) => {
  const child = spawn(bin, ["acp", "--agent", "demo"], {
    env: house.env({ REPRISE_PORT: "0" }),
    stdio: ["pipe", "pipe", "ignore"],
  });
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => void child.kill("SIGKILL"));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const answered = async (line: string) => {
    child.stdin.write(`${line}\n`);
    const { value } = await lines.next();
    return Line.parse(JSON.parse(value ?? ""));
  };
  const initialize =
    '{"jsonrpc":"2.0","id":"x","method":"initialize","params":{"protocolVersion":1}}';
  assert.equal((await answered(initialize)).error, undefined);
  for (const [line, code] of [
    ["{", -32700],
    ["\u0000", -32700],
    ["[]", -32600],
    ["7", -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"session/new"}', -32602],
    ['{"jsonrpc":"2.0","id":1,"method":"session/new","params":7}', -32602],
    ['{"jsonrpc":"2.0","id":1,"method":"__proto__","params":{}}', -32601],
    [
      `{"jsonrpc":"2.0","id":1,"method":"session/load","params":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}`,
      -32602,
    ],
  ] as const)
    assert.equal((await answered(line)).error?.code, code, line.slice(0, 100));
  // Answers that nobody asked for, and requests that have no id.
  child.stdin.write('{"jsonrpc":"2.0","id":99,"result":{}}\n');
  child.stdin.write('{"jsonrpc":"2.0","method":"session/prompt"}\n');
  assert.equal((await answered(initialize)).id, "x");
  child.stdin.end();
  const [code] = await once(child, "close");
  assert.equal(code, 0);
});

test("[ACP-10] what is kept is for the owner alone; a link in its place is not followed, and hinders nothing", async ({
  house,
  workspace,
}) => {
  await using editor = await Editor.open(house, { name: "../../evil\0" });
  const id = await editor.start(workspace);
  await editor.prompt(id, "hi");
  const [directory = ""] = await newest(join(house.home, "acp"));
  const file = join(house.home, "acp", directory, id);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await stat(join(house.home, "acp"))).mode & 0o777, 0o700);

  const victim = join(await mkdtemp(join(house.directory, "v-")), "victim");
  await writeFile(victim, "untouched");
  await using other = await Editor.open(house, { name: "../../evil\0" });
  const second = await editor.start(workspace);
  await editor.agent.request("session/close", { sessionId: second });
  const planted = join(house.home, "acp", directory, second);
  await rm(planted);
  await symlink(victim, planted);
  assert.deepEqual(await other.prompt(second, "hi"), {
    stopReason: "end_turn",
  });
  assert.equal((await stat(victim)).size, "untouched".length);
});

/** Directories, the newest first. */
const newest = async (path: string): Promise<string[]> => {
  const all = await Promise.all(
    (await readdir(path)).map(async (name) => ({
      name,
      at: (await stat(join(path, name))).mtimeMs,
    })),
  );
  return all.toSorted((a, b) => b.at - a.at).map(({ name }) => name);
};
