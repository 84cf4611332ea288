/** Calls that no client should make, at every tool and method, in both eras and over both doors. */
import assert from "node:assert/strict";
import { readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { root } from "../e2e/house.ts";
import { type Scene, sharedHouse } from "../e2e/shared-house.ts";
import {
  type HostileCall,
  hostileCalls,
  ListedTool,
} from "./hostile-arguments.ts";
import { doors, eras } from "./mcp-client.ts";
import {
  callTool,
  openRaw,
  postMcp,
  type RawDoor,
  RawLines,
  repliesIn,
  type Reply,
} from "./raw-door.ts";

const test = sharedHouse();

const Refusal = z.looseObject({
  isError: z.literal(true),
  content: z.tuple([
    z.strictObject({ type: z.literal("text"), text: z.string() }),
  ]),
});

/** Null when it is a refusal as it should be. */
const whyBad = (
  reply: Reply,
  tool: ListedTool,
  { names }: HostileCall,
  { server }: Scene,
): string | null => {
  const { error, result } = reply;
  const refusal = Refusal.safeParse(result);
  const text = error?.message ?? refusal.data?.content[0].text;
  if (text === undefined)
    return tool.annotations.readOnlyHint && names === null
      ? null
      : `not refused: ${JSON.stringify(result).slice(0, 200)}`;
  if (error !== undefined && error.code !== -32602 && error.code !== -32600)
    return `code ${error.code}: ${text}`;
  if (error === undefined && !/^Error: \S/.test(text)) return `words: ${text}`;
  if (text.length > 2000) return `long: ${text.slice(0, 300)}`;
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0009\u000b-\u001f\u202e]/.test(text)) return `raw: ${text}`;
  if (error === undefined && names !== null && !text.includes(names))
    return `does not name ${names}: ${text}`;
  return leakIn(JSON.stringify(reply), server.token);
};

const leakIn = (text: string, token: string): string | null =>
  text.includes(token) ||
  text.includes(join(root, "src")) ||
  /\bat .{1,100}:\d+:\d+|node_modules|node:internal|ZodError/.test(text)
    ? `leaks: ${text.slice(0, 500)}`
    : null;

/** Everything that a call could have changed. */
const everything = async ({ client, house }: Scene): Promise<unknown> => ({
  sessions: (await client.listSessions({ limit: 500 })).sessions.map(
    ({ id, last_seq }) => [id, last_seq],
  ),
  tasks: (await client.listTasks()).tasks.map(({ id }) => id),
  files: await readdir(house.directory),
});

const inParallel = async <T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const waiting = items[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const item of waiting) await work(item);
    }),
  );
};

const toolsOf = async (door: RawDoor): Promise<ListedTool[]> => {
  const { result } = await door.ask("tools/list");
  return z.object({ tools: z.array(ListedTool) }).parse(result).tools;
};

const combinations = eras.flatMap((era) =>
  doors.map((door) => ({ era, door })),
);

for (const [at, { era, door }] of combinations.entries())
  test(`[MCP-35] [MCP-36] every tool refuses what it cannot take, ${era} over ${door}`, async (scene) => {
    const { id } = await scene.client.createSession({ cwd: scene.workspace });
    await scene.client.pauseSession(id);
    await using raw = await openRaw(scene, { door, era });
    const before = await everything(scene);
    const tools = await toolsOf(raw);
    assert.ok(tools.length >= 15);
    const calls = tools
      .flatMap((tool) => hostileCalls(tool).map((call) => ({ tool, call })))
      // What goes on to the server is divided between the four: there they are all the same.
      .filter(({ call }, i) => call.names !== null || i % 4 === at);
    const bad: string[] = [];
    await inParallel(calls, async ({ tool, call }) => {
      const reply = await callTool(raw, tool.name, call.args);
      const why = whyBad(reply, tool, call, scene);
      if (why !== null) bad.push(`${tool.name}, ${call.what}: ${why}`);
    });
    assert.deepEqual(bad, []);
    assert.deepEqual(await everything(scene), before);
    const after = await callTool(raw, "list_agents", "{}");
    assert.equal(after.result?.["isError"], undefined);
  });

/** Methods besides the tools, with what each names. */
const METHODS: [method: string, params: Record<string, string>][] = [
  ["tools/call", {}],
  ["tools/call", { name: "7" }],
  ["tools/call", { name: '"no_such_tool"' }],
  ["tools/call", { name: '"__proto__"' }],
  ["tools/call", { name: '"list_agents"', arguments: '"text"' }],
  ["resources/read", {}],
  ["resources/read", { uri: "null" }],
  ...[
    "reprise://sessions/ses_00000000000000000000000000/conversation",
    "reprise://sessions/..%2f..%2fhealth/checkpoints",
    "reprise://sessions/a%00b/conversation",
    "reprise://sessions//conversation",
    "reprise://sessions/%zz/conversation",
    "file:///etc/passwd",
    "../../etc/passwd",
    "",
  ].map((uri): [string, Record<string, string>] => [
    "resources/read",
    { uri: JSON.stringify(uri) },
  ]),
  ["no/such/method", {}],
  ["__proto__", {}],
];

const TASK_IDS = [
  '""',
  '"x"',
  "7",
  "null",
  '"../../etc/passwd"',
  '"a\\u0000b"',
  '"ses_00000000000000000000000000.prm_00000000000000000000000000"',
];

for (const { era, door } of combinations)
  test(`[MCP-37] every other method refuses what it cannot take, ${era} over ${door}`, async (scene) => {
    await using raw = await openRaw(scene, { door, era });
    const asked = [
      ...METHODS,
      ...["tasks/get", "tasks/cancel", "tasks/update"].flatMap((method) =>
        TASK_IDS.map((taskId): [string, Record<string, string>] => [
          method,
          { taskId },
        ]),
      ),
    ];
    for (const [method, params] of asked) {
      const what = `${method} ${JSON.stringify(params)}`;
      const { error, result } = await raw.ask(method, params);
      const text = error?.message ?? JSON.stringify(result);
      if (method === "tools/call" && error === undefined)
        assert.ok(Refusal.safeParse(result).success, `${what}: ${text}`);
      else
        assert.ok(
          [-32602, -32601, -32600, -32002, -32020].includes(error?.code ?? 0),
          `${what}: ${error?.code} ${text}`,
        );
      assert.equal(leakIn(text, scene.server.token), null, what);
    }
    const after = await callTool(raw, "list_agents", "{}");
    assert.equal(after.result?.["isError"], undefined);
  });

test("[MCP-35] a directory that is none is refused, and nothing is made of it", async (scene) => {
  const { workspace } = scene;
  await writeFile(join(workspace, "file"), "");
  await symlink(join(workspace, "none"), join(workspace, "dangling"));
  await symlink("/dev/null", join(workspace, "device"));
  await symlink(join(workspace, "circle"), join(workspace, "circle"));
  const before = await everything(scene);
  for (const [at, { era, door }] of combinations.entries()) {
    await using raw = await openRaw(scene, { door, era });
    for (const cwd of [
      join(workspace, "file"),
      join(workspace, "none", "..", "..", "none"),
      join(workspace, "dangling"),
      join(workspace, "device"),
      join(workspace, "circle"),
      "/proc/self/fd/0",
      "/dev/null",
      "a\0b",
      "~/nowhere",
      `/${"x".repeat(300)}`,
      "x".repeat(5000),
    ]) {
      const args = { agentName: "demo", prompt: `${at}`, cwd };
      const { result } = await callTool(
        raw,
        "invoke_agent",
        JSON.stringify(args),
      );
      const { content } = Refusal.parse(result);
      assert.match(
        content[0].text,
        /^Error: .*\b(cwd|NUL)\b/,
        `${cwd.slice(0, 200)}: ${content[0].text}`,
      );
    }
  }
  assert.deepEqual(await everything(scene), before);
});

test("[MCP-38] lines that are no messages are answered over stdio, and the door stays open", async (scene) => {
  await using lines = RawLines.start(scene);
  const early = await lines.answerTo(
    1,
    (id) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"nope"}}`,
  );
  assert.ok(early.error !== undefined, "a request before initialize");
  await lines.initialize();
  for (const [line, code] of [
    ["{", -32700],
    ["\u0000", -32700],
    [`{"jsonrpc":"2.0","id":7`, -32700],
    ["[]", -32600],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    ["7", -32600],
    ["null", -32600],
    ['{"id":5,"method":"ping"}', -32600],
    ['{"jsonrpc":"1.0","id":5,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":5,"method":7}', -32600],
    ['{"jsonrpc":"2.0","id":5,"method":"ping","params":[7]}', -32600],
    [
      '{"jsonrpc":"2.0","id":5,"method":"ping","params":{"\\u005f_proto__":1}}',
      -32602,
    ],
    ["[".repeat(200_000), -32700],
    [`"${"x".repeat(64 * 1024 * 1024 + 1)}"`, -32600],
  ] as const) {
    lines.write(`${line}\n`);
    const { error } = await lines.other();
    assert.equal(error?.code, code, `${line.slice(0, 80)}: ${error?.message}`);
  }
  // None of these wants an answer.
  for (const line of [
    "",
    "  \r",
    '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"list_agents"}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"__proto__":1}}',
    '{"jsonrpc":"2.0","id":99,"result":{}}',
    '{"jsonrpc":"2.0","id":99,"error":7}',
  ])
    lines.write(`${line}\n`);
  const frame = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
  // A message in pieces, and two in one.
  const half = lines.answerTo(10, frame);
  lines.write('{"jsonrpc":"2.0","id":11,');
  lines.write('"method":"ping"}\n');
  await half;
  assert.equal((await lines.other()).id, 11);
  lines.write(`${frame(12)}\n${frame(12)}\n`);
  assert.deepEqual(
    [(await lines.other()).id, (await lines.other()).id],
    [12, 12],
    "an id that is used twice is answered twice",
  );
  lines.process.stdin?.end();
  assert.equal(await lines.ended(), 0);
});

test("[MCP-38] bodies that are no messages are answered at /mcp", async (scene) => {
  for (const body of [
    "",
    "{",
    "null",
    "7",
    "[]",
    '{"id":5,"method":"ping"}',
    '{"jsonrpc":"2.0","id":{},"method":"ping"}',
    '{"jsonrpc":"2.0","id":5,"method":7}',
    '{"jsonrpc":"2.0","id":5,"method":"ping","params":{"__proto__":1}}',
    "[".repeat(200_000),
  ]) {
    const response = await postMcp(scene.server, body);
    assert.equal(response.status, 400, body.slice(0, 80));
    const [reply] = await repliesIn(response);
    assert.ok(reply?.error !== undefined, body.slice(0, 80));
    assert.equal(leakIn(JSON.stringify(reply), scene.server.token), null);
  }
  const huge = JSON.stringify("x".repeat(17 * 1024 * 1024));
  assert.equal((await postMcp(scene.server, huge)).status, 413);
  assert.equal((await scene.client.health()).status, "ok");
});
