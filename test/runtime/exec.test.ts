/** Commands in the workspace of a session, as the runtime hands them on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ExecRequest } from "../../src/contract/api/run-route.ts";
import { LinkError } from "../../src/contract/link/link-error.ts";
import { printed } from "../../src/runtime/fixtures/fake-commands.ts";
import {
  fakeExecutors,
  FakePlace,
} from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { until } from "../../src/kit/fixtures/patience.ts";
import { house, request } from "./house.ts";

const asked = (more: Partial<ExecRequest> = {}): ExecRequest => ({
  argv: ["echo", "hi"],
  timeout_ms: 1000,
  encoding: "text",
  ...more,
});

test("[RUN-9] requests with one key at the same time run a command once", async () => {
  const place = new FakePlace();
  const { operations, close } = await house(fakeExecutors(place));
  const { id } = await operations.createSession(request());
  const key = "k";
  const answers = await Promise.all(
    [1, 2, 3].map(() => operations.execCommand(id, asked(), { key })),
  );
  assert.equal(place.commands.orders.length, 1);
  assert.deepEqual(
    new Set(answers.map(({ stdout }) => stdout)),
    new Set(["echo hi\n"]),
  );
  await operations.execCommand(id, asked());
  assert.equal(place.commands.orders.length, 2);
  await close();
});

test("[RUN-3] [RUN-9] values of a command's environment are in no receipt, also not as a digest of their own", async () => {
  const place = new FakePlace();
  const store = memoryStore();
  const kept: string[] = [];
  const { operations, close } = await house(fakeExecutors(place), {
    store: {
      ...store,
      putReceipt: (term, receipt) => {
        kept.push(JSON.stringify(receipt));
        return store.putReceipt(term, receipt);
      },
    },
  });
  const { id } = await operations.createSession(request());
  const env = { KEY: "very-secret" };
  const caller_env = { PATH: "/mine", HOME: "/another/home" };
  await operations.execCommand(id, asked({ env, caller_env }), { key: "k" });
  const order = place.commands.orders[0];
  assert.deepEqual(order?.env, env);
  assert.equal(order.agent.env["PATH"], "/mine");
  assert.equal(order.agent.path_from, "caller");
  assert.notEqual(order.agent.env["HOME"], "/another/home");
  assert.equal(kept.length, 2);
  assert.doesNotMatch(kept.join("\n"), /very-secret/);
  await close();
});

test("[RUN-5] a command is cancelled when its caller goes away, also before it is begun", async () => {
  const place = new FakePlace();
  const { operations, close } = await house(fakeExecutors(place));
  const { id } = await operations.createSession(request());
  const over = Promise.withResolvers<void>();
  place.commands.onExec = async () => {
    await over.promise;
    return { ...printed(""), cancelled: true };
  };
  const leaving = new AbortController();
  const running = operations.execCommand(id, asked(), {
    signal: leaving.signal,
  });
  await until(() => place.commands.orders.length === 1);
  leaving.abort();
  await until(() => place.commands.cancelled.length === 1);
  const early = operations.execCommand(id, asked(), {
    signal: leaving.signal,
  });
  await until(() => place.commands.cancelled.length === 2);
  assert.deepEqual(
    place.commands.cancelled,
    place.commands.orders.map(({ command_id }) => command_id),
  );
  over.resolve();
  assert.equal((await running).cancelled, true);
  assert.equal((await early).cancelled, true);
  await close();
});

test("[RUN-16] an agentctl of an older release is said to be one, and the key can be used again", async () => {
  const place = new FakePlace();
  const { operations, close } = await house(fakeExecutors(place));
  const { id } = await operations.createSession(request());
  const { onExec } = place.commands;
  place.commands.onExec = async () => {
    throw new LinkError("unknown_method", "no method exec");
  };
  await assert.rejects(operations.execCommand(id, asked(), { key: "k" }), {
    code: "not_supported",
  });
  place.commands.onExec = onExec;
  const ran = await operations.execCommand(id, asked(), { key: "k" });
  assert.equal(ran.exit_code, 0);
  await close();
});
