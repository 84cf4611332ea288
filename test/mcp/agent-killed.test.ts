/** The agent dies while somebody waits for it: it is told as it is, the prompt ran once, and the next call goes on. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { killAgents } from "../e2e/counting.ts";
import { seenUntil, spoken } from "../e2e/house.ts";
import { type Scene, sharedHouse } from "../e2e/shared-house.ts";
import { type Connected, connectMcp, doors } from "./mcp-client.ts";

const test = sharedHouse();

/** A session that has something to remember and whose agent writes down each prompt that it begins. */
const remembering = async ({ client, workspace: cwd, house }: Scene) => {
  const ledger = join(cwd, "ledger");
  const { id } = await client.createSession({
    agent: "demo",
    cwd,
    env: { DEMO_LEDGER: ledger },
    prompt: "remember pass=mellon",
  });
  await eventually(
    () => client.showSession(id),
    ({ turn_count }) => turn_count === 1,
  );
  let said = "";
  return {
    id,
    latch: house.latch(),
    asked: (prompt: string) => ({
      agentName: "demo",
      continueSessionId: id,
      prompt,
    }),
    hasSaid: (words: string) =>
      seenUntil(client, id, (event) =>
        (said += spoken([event])).includes(words),
      ),
    isInterrupted: () =>
      seenUntil(client, id, ({ type }) => type === "session.turn.interrupted"),
    /** How often the agent began a prompt. */
    taken: async (prompt: string): Promise<number> =>
      (await readFile(ledger, "utf8")).split(JSON.stringify(prompt)).length - 1,
  };
};

/** Where a form can be shown. */
const places = [
  { era: "legacy", door: "stdio" },
  { era: "modern", door: "stdio" },
  { era: "modern", door: "http" },
] as const;

type Session = Awaited<ReturnType<typeof remembering>>;

const isInterrupted = (
  data: Record<string, unknown>,
  { id }: Session,
): void => {
  assert.partialDeepStrictEqual(data, {
    success: false,
    status: "interrupted",
    sessionId: id,
    turn: 2,
    pendingPermissions: [],
  });
  assert.match(String(data["next"]), /^invoke_agent .*continueSessionId/);
};

/** The prompt ran once, nothing waits, and the next call finds the memory. */
const goesOn = async (
  mcp: Connected,
  { id, asked, taken }: Session,
  prompt: string,
): Promise<void> => {
  const { data, text } = await mcp.call("invoke_agent", asked("recall pass"));
  assert.equal(data["status"], "completed", text);
  assert.equal(data["sessionId"], id);
  assert.equal(data["text"], "pass=mellon");
  assert.equal(await taken(prompt), 1);
  assert.equal(await taken("recall pass"), 1);
};

/** By others, and by itself: it goes on to `crash` when the latch opens. */
const ways = {
  "is killed": ({ client }: Scene, { id }: Session) => killAgents(client, id),
  crashes: async (_: Scene, { latch }: Session) => latch.open(),
};

const TaskNow = z.looseObject({
  status: z.string(),
  inputRequests: z.record(z.string(), z.unknown()).optional(),
  result: z
    .object({ structuredContent: z.record(z.string(), z.unknown()) })
    .optional(),
});

/** The SDK's client does not take handles: what came over the wire does. */
const Handle = z.object({ result: z.object({ taskId: z.string() }) });

for (const [dies, end] of Object.entries(ways)) {
  for (const door of doors)
    test(`[MCP-7] [MCP-49] the agent ${dies} at a chunk of a call, over ${door}`, async (scene) => {
      const session = await remembering(scene);
      await using mcp = await connectMcp(scene, { era: "modern", door });
      const prompt = `count 10 0\nrun ${session.latch.wait}\ncrash`;
      const call = mcp.call("invoke_agent", session.asked(prompt));
      await session.hasSaid("10\n");
      await end(scene, session);
      const { data, text } = await call;
      isInterrupted(data, session);
      assert.match(text, /interrupted/);
      await goesOn(mcp, session, prompt);
    });

  test(`[MCP-12] [MCP-49] the agent ${dies} between two polls of a task handle`, async (scene) => {
    const session = await remembering(scene);
    await using mcp = await connectMcp(scene, {
      era: "modern",
      door: "stdio",
      takesTasks: true,
    });
    const prompt = `count 10 0\nrun ${session.latch.wait}\ncrash`;
    const args = { ...session.asked(prompt), waitSeconds: 0 };
    await assert.rejects(mcp.call("invoke_agent", args));
    const { taskId } = Handle.parse(mcp.received.at(-1)).result;
    const now = () =>
      mcp.client.request({ method: "tasks/get", params: { taskId } }, TaskNow);
    await session.hasSaid("10\n");
    assert.equal((await now()).status, "working");
    await end(scene, session);
    const { status, result } = await eventually(
      now,
      (each) => each.status !== "working",
    );
    assert.equal(status, "completed");
    isInterrupted(result?.structuredContent ?? {}, session);
    await using other = await connectMcp(scene, {
      era: "modern",
      door: "http",
    });
    await goesOn(other, session, prompt);
  });
}

for (const answer of ["accept", "cancel"] as const)
  for (const { era, door } of places)
    test(`[MCP-16] [MCP-49] the agent is killed while its form is shown, then ${answer}, ${era} over ${door}`, async (scene) => {
      const session = await remembering(scene);
      let forms = 0;
      await using mcp = await connectMcp(scene, {
        era,
        door,
        onForm: async () => {
          forms += 1;
          await killAgents(scene.client, session.id);
          await session.isInterrupted();
          return answer === "accept"
            ? { action: "accept", content: { option: "allow_once" } }
            : { action: "cancel" };
        },
      });
      const prompt = "ask may I?\nwrite done.txt yes";
      const { data } = await mcp.call("invoke_agent", session.asked(prompt));
      isInterrupted(data, session);
      assert.equal(forms, 1);
      await goesOn(mcp, session, prompt);
      await assert.rejects(readFile(join(scene.workspace, "done.txt")), {
        code: "ENOENT",
      });
    });
