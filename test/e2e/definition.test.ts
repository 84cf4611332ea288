import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { Client } from "../../src/client/client.ts";
import type { CreateSessionInput } from "../../src/contract/api/request.ts";
import { root, say, seenUntil } from "./house.ts";
import { type Scene, sharedHouse } from "./shared-house.ts";

const program = join(root, "test/agents/records-given.ts");

const command = [process.execPath, program];

const test = sharedHouse({
  agents: {
    recorder: { command, asks: "all" },
    "with-system-prompt": {
      command: [...command, "--system-prompt"],
      asks: "all",
    },
  },
});

/** A session of an agent that writes down what it is given, and what it has written. */
const recording = ({ client, workspace }: Scene, agent = "recorder") => {
  const file = join(workspace, "given.jsonl");
  return {
    client,
    workspace,
    start: (more: CreateSessionInput) =>
      client.createSession({
        agent,
        cwd: workspace,
        env: { GIVEN: file },
        ...more,
      }),
    /** What came with requests of this method, oldest first. */
    given: async (method: string): Promise<unknown[]> =>
      (await readFile(file, "utf8"))
        .trim()
        .split("\n")
        .map((line) => Line.parse(JSON.parse(line)))
        .flatMap((line) => (line.method === method ? [line.params] : [])),
  };
};

const Line = z.object({
  method: z.string().optional(),
  params: z.unknown().optional(),
});
const Prompt = z.object({
  prompt: z.array(z.looseObject({ type: z.string() })),
});

const restart = async (client: Client, id: string): Promise<string> => {
  await client.pauseSession(id);
  return (await client.resumeSession(id)).resume?.grade ?? "none";
};

const noticesOf = async (client: Client, id: string): Promise<string[]> => {
  const { last_seq } = await client.showSession(id);
  const seen = await seenUntil(client, id, ({ seq }) => seq >= last_seq);
  return seen.flatMap((event) =>
    event.type === "session.notice" ? [event.data.code] : [],
  );
};

test("[SES-28] [LNK-43] instructions, model and mode: told at the start; model and mode again after a resume, instructions not", async (scene) => {
  const { client, start, given } = recording(scene);
  const { id } = await start({
    instructions: "Answer in Latin.",
    disallowed_tools: ["WebFetch"],
    model: "m-1",
    mode: "plan",
  });
  await say(client, id, "first");
  await say(client, id, "second");
  assert.equal(await restart(client, id), "native");
  await say(client, id, "third");

  const model = {
    sessionId: "recorded",
    configId: "which-model",
    value: "m-1",
  };
  assert.deepEqual(await given("session/set_config_option"), [model, model]);
  assert.equal((await given("session/set_mode")).length, 2);
  const prompts = (await given("session/prompt")).map(
    (params) => Prompt.parse(params).prompt,
  );
  assert.deepEqual(
    prompts.map(({ length }) => length),
    [2, 1, 1],
  );
  const block = String(prompts[0]?.[0]?.["text"]);
  assert.match(block, /^=== INSTRUCTIONS FOR THIS SESSION ===\n/);
  assert.match(block, /Answer in Latin\./);
  assert.match(block, /Do not use these tools: WebFetch\./);
  assert.deepEqual(await noticesOf(client, id), []);
});

test("[SES-28] [LNK-43] [LNK-57] an agent with room in its system prompt gets instructions there, at every start, and clean prompts; without the model, where it may fall back", async (scene) => {
  const { client, start, given } = recording(scene, "with-system-prompt");
  const { id } = await start({
    instructions: "Answer in Latin.",
    model: "unknown",
    model_fallback: true,
  });
  await say(client, id, "first");
  assert.deepEqual(await noticesOf(client, id), ["model_refused"]);
  await restart(client, id);
  await say(client, id, "second");
  for (const method of ["session/new", "session/load"])
    assert.match(
      JSON.stringify(await given(method)),
      /"systemPrompt":\{"mode":"append".*Answer in Latin/,
    );
  for (const params of await given("session/prompt"))
    assert.equal(Prompt.parse(params).prompt.length, 1);
});

test("[SES-26] [SES-31] the policy knows the tool and its command; what turns cost is added up", async (scene) => {
  const { client, start } = recording(scene);
  const { id } = await start({
    permissions: {
      default: "ask",
      rules: [
        { tool: "Bash(git push *)", answer: "deny" },
        { tool: "Bash(git *)", answer: "allow" },
      ],
    },
  });
  assert.match(await say(client, id, "run git status"), /"optionId":"yes"/);
  assert.match(await say(client, id, "run git push -f"), /"optionId":"no"/);
  const session = await client.showSession(id);
  assert.equal(session.usage?.total_tokens, 14);
  assert.equal(session.definition.permissions?.rules.length, 2);
});

test("[SES-29] CLAUDE.md and AGENTS.md are recorded by name and hash; a change is told when the agent comes back", async (scene) => {
  const { client, start, workspace } = recording(scene);
  await writeFile(join(workspace, "CLAUDE.md"), "be kind\n");
  const { id } = await start({ prompt: "hello" });
  await say(client, id, "go on");
  const { definition } = await client.showSession(id);
  assert.deepEqual(
    definition.instruction_files?.map(({ name }) => name),
    ["CLAUDE.md"],
  );
  await client.pauseSession(id);
  await writeFile(join(workspace, "CLAUDE.md"), "be quick\n");
  await client.resumeSession(id);
  assert.deepEqual(await noticesOf(client, id), ["instructions_changed"]);
});

test("[SES-30] files reach an agent that takes them; an image for one that takes none is refused, or told about in words", async (scene) => {
  const { client, start, given } = recording(scene);
  const image = {
    type: "image",
    mime_type: "image/png",
    data: "iVBORw0KGgo=",
  } as const;
  const file = { type: "resource", uri: "file:///a", text: "A" } as const;
  const { id } = await start({ content: [image, file] });
  await seenUntil(client, id, ({ type }) => type === "session.turn.ended");
  const [params] = await given("session/prompt");
  assert.deepEqual(
    Prompt.parse(params).prompt.map(({ type }) => type),
    ["text", "resource"],
  );
  assert.deepEqual(await noticesOf(client, id), ["images_left_out"]);
  await assert.rejects(client.queuePrompt(id, { content: [image] }), {
    code: "content_not_supported",
  });
});

test("[SES-27] a turn that a quota cut short goes on when the quota is filled again, and not before", async (scene) => {
  const { client, start, given } = recording(scene);
  const { id } = await start({
    prompt: "quota 2",
    on_interrupt: "continue",
  });
  const seen = await seenUntil(
    client,
    id,
    ({ type }) => type === "session.turn.ended",
  );
  const cut = seen.find(({ type }) => type === "session.turn.interrupted");
  assert.ok(cut?.type === "session.turn.interrupted");
  const resets = cut.data.limit?.resets_at ?? "";
  const again = seen.findLast(({ type }) => type === "session.turn.started");
  assert.ok(resets !== "" && (again?.at ?? "") >= resets, `${again?.at}`);
  assert.equal((await given("session/prompt")).length, 2);
});
