/** What every kind of executor must do, run with a real agentctl and the demo agent. */
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import type { AgentId } from "../../contract/agent.ts";
import { ExecutionId, PromptId, SessionId } from "../../contract/id.ts";
import { LinkError } from "../../contract/link-error.ts";
import type { StartOrder } from "../../contract/link.ts";
import { RepriseError } from "../../contract/problem.ts";
import type { PlaceRef } from "../../contract/place.ts";
import { ulid } from "../../kit/data/ulid.ts";
import type { Executors, Place } from "../../runtime/ports/executors.ts";
import { Attendant } from "./attendant.ts";
import { HELD_WORDS, heldAt } from "../../kit/fixtures/held-turn.ts";
import { Latch } from "../../kit/fixtures/latch.ts";
import { patience } from "../../kit/fixtures/patience.ts";

/** Where a kind of executor is tried. */
export interface Ground {
  place: PlaceRef;
  /** What a server of this term would use; every call is another server. */
  server(term: number): Executors;
  /** A directory that agents can work in, as agentctl sees it. */
  cwd: string;
  /** The environment of the agents. */
  env: Record<string, string>;
  dispose(): Promise<void>;
}

export const executorsConform = (
  name: string,
  prepare: () => Promise<Ground>,
): void => {
  describe(name, () => {
    let ground: Ground;
    let term = 0;
    before(async () => {
      ground = await prepare();
    });
    after(() => ground.dispose());

    /** A server newer than all before, and its place. */
    const takeOver = async (): Promise<{ server: Executors; place: Place }> => {
      const server = ground.server(++term);
      return { server, place: await server.obtain(ground.place) };
    };
    const order = (agent: AgentId = "demo"): StartOrder => ({
      execution_id: ExecutionId.parse(`exe_${ulid(Date.now())}`),
      session_id: SessionId.parse(`ses_${ulid(Date.now())}`),
      epoch: 1,
      definition: { agent, home: "user", env_names: [] },
      cwd: ground.cwd,
      env: ground.env,
      open: { kind: "new" },
      predecessors: [],
      deadline_ms: patience(20_000),
    });

    test("a session from start to stop", async () => {
      const { server, place } = await takeOver();
      const started = order();
      const attendant = new Attendant(place, started);
      await place.start(started);
      const ready = await attendant.first("ready");
      assert.equal(ready.opened, "new");
      assert.ok(ready.native_session_id);

      const prompt_id = await prompt(place, started, "remember tea=green");
      assert.equal(
        (await attendant.first("prompt_delivered")).prompt_id,
        prompt_id,
      );
      const ended = await attendant.first("turn_ended");
      assert.deepEqual([ended.prompt_id, ended.error], [prompt_id, null]);

      const next = attendant.items.length;
      await prompt(place, started, "recall tea");
      await attendant.first("turn_ended", next);
      assert.match(attendant.text(), /tea=green/);

      await place.stop({ ...at(started), grace_ms: 5000 });
      const { ending } = await attendant.first("ended");
      assert.equal(ending.kind, "stopped");
      await attendant.drained();
      assert.equal(await isAlive(place, started), false);
      await place.forget(at(started));
      assert.equal(await isAlive(place, started), undefined);
      await server.close();
    });

    test("[P5] a permission is asked for and its answer arrives", async () => {
      const { server, place } = await takeOver();
      const started = order();
      const attendant = new Attendant(place, started);
      await place.start(started);
      await attendant.first("ready");
      await prompt(place, started, "ask May I?");
      const asked = await attendant.first("permission_requested");
      const [option] = asked.options;
      assert.ok(option);
      const { permission_id } = asked;
      const answer = { ...at(started), permission_id, option_id: option.id };
      await place.answer(answer);
      assert.equal(
        (await attendant.first("answer_delivered")).permission_id,
        permission_id,
      );
      await attendant.first("turn_ended");
      assert.ok(attendant.text().includes(option.id), attendant.text());
      await stopped(place, started, attendant);
      await server.close();
    });

    test("[P2] a server that went away in mid-turn has everything when it comes back", async () => {
      const first = await takeOver();
      const started = order();
      const before = new Attendant(first.place, started);
      await first.place.start(started);
      await before.first("ready");
      using latch = new Latch(ground.cwd);
      await prompt(first.place, started, heldAt(latch));
      await before.first("text");
      await before.drained();
      await first.server.close();
      assert.ok(!before.items.some(({ kind }) => kind === "turn_ended"));
      latch.open();

      const second = await takeOver();
      assert.equal(await isAlive(second.place, started), true);
      const later = new Attendant(second.place, started, before.taken);
      await second.place.attach({ ...at(started), from: before.taken });
      await later.first("turn_ended");
      assert.equal(before.text() + later.text(), HELD_WORDS);
      await stopped(second.place, started, later);
      await second.server.close();
    });

    test("[P4] a superseded server is cut off and cannot come back", async () => {
      const old = await takeOver();
      const { server, place } = await takeOver();
      await old.place.closed;
      await assert.rejects(
        old.server.obtain(ground.place),
        (error) =>
          error instanceof LinkError && error.code === "term_superseded",
      );
      assert.equal((await place.workspace(ground.cwd)).kind, "directory");
      await old.server.close();
      await server.close();
    });

    test("[REC-68] a place that is left loses its connection; who asks for it again gets another to the same agentctl", async () => {
      const { server, place } = await takeOver();
      await server.leave(ground.place);
      await place.closed;
      await server.leave(ground.place);
      const again = await server.obtain(ground.place);
      assert.notEqual(again, place);
      assert.equal(again.pid, place.pid);
      await server.close();
    });

    test("[P4] concurrent calls, also of two servers, come to one agentctl", async () => {
      const servers = [ground.server(++term), ground.server(term)];
      const places = await Promise.all(
        servers.flatMap((server) => [
          server.obtain(ground.place),
          server.obtain(ground.place),
        ]),
      );
      assert.equal(places[0], places[1]);
      assert.equal(new Set(places.map(({ pid }) => pid)).size, 1);
      for (const server of servers) await server.close();
    });

    test("a lost connection rejects calls, and the next obtain has a new one", async () => {
      const { server, place } = await takeOver();
      const again = ground.server(term);
      await again.obtain(ground.place);
      await again.close();
      await assert.rejects(
        again.obtain(ground.place),
        hasCode("agentctl_unavailable"),
      );
      assert.equal(await server.obtain(ground.place), place);
      await server.close();
      await place.closed;
      await assert.rejects(place.executions(), hasCode("agentctl_unavailable"));
    });

    test("agentctl tells what is there: agents and directories", async () => {
      const { server, place } = await takeOver();
      const demo = (await place.agents({ overrides: {} })).find(
        ({ id }) => id === "demo",
      );
      assert.equal(demo?.installed, true);
      assert.equal((await place.workspace(ground.cwd)).kind, "directory");
      assert.equal((await place.workspace(`${ground.cwd}/no`)).kind, "missing");
      await server.close();
    });

    test("[LNK-75] a file goes to agentctl and comes back, and is gone when it is released", async () => {
      const { server, place } = await takeOver();
      const bytes = Buffer.alloc(3_000_000, "all of it ");
      const sent = await place.transfers.upload(Readable.from([bytes]));
      const back = await buffer(place.transfers.download(sent));
      assert.ok(back.equals(bytes));
      await place.transfers.release([sent]);
      await assert.rejects(buffer(place.transfers.download(sent)), {
        code: "unknown_transfer",
      });
      await server.close();
    });

    test("another kind of executor is refused", async () => {
      const server = ground.server(++term);
      await assert.rejects(
        server.obtain({ kind: "moon", id: "far-side" }),
        hasCode("not_supported"),
      );
      await server.close();
    });
  });
};

const at = ({ execution_id, epoch }: StartOrder) => ({ execution_id, epoch });

const prompt = async (
  place: Place,
  started: StartOrder,
  text: string,
): Promise<PromptId> => {
  const prompt_id = PromptId.parse(`prm_${ulid(Date.now())}`);
  const content = [{ type: "text" as const, text }];
  await place.prompt({ ...at(started), prompt_id, content });
  return prompt_id;
};

const stopped = async (
  place: Place,
  started: StartOrder,
  attendant: Attendant,
): Promise<void> => {
  await place.stop({ ...at(started), grace_ms: 5000 });
  await attendant.first("ended");
  await attendant.drained();
};

/** Undefined when agentctl no longer knows it. */
const isAlive = async (
  place: Place,
  { execution_id }: StartOrder,
): Promise<boolean | undefined> =>
  (await place.executions()).find((one) => one.execution_id === execution_id)
    ?.alive;

const hasCode = (code: string) => (error: unknown) =>
  error instanceof RepriseError && error.code === code;
