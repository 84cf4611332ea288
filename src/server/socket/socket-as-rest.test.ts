import assert from "node:assert/strict";
import { test } from "node:test";
import { RepriseError } from "../../contract/problem/problem.ts";
import type {
  PromptRequest,
  ResumeRequest,
} from "../../contract/api/request.ts";
import type { Restriction } from "../../contract/agent/restriction.ts";
import { connectClient } from "../fixtures/fake-client.ts";
import {
  createFakeSite,
  listenFakeSite,
  problemIn,
} from "../fixtures/fake-site.ts";
import type { Operations } from "../ask/operations.ts";

const restriction: Restriction = {
  what: "mode",
  asked: "readonly",
  reason: "not_offered",
  valid: ["read-only"],
  message: null,
};

test("[API-133] an error over WebSocket has the facts that the problem of REST has", async () => {
  for (const refusal of [
    new RepriseError("restriction_not_held", "No such mode.", {
      state: "ERROR",
      restriction,
      reason: "error",
    }),
    new RepriseError("session_damaged", "It is damaged.", { damaged_from: 7 }),
  ]) {
    const instead = { resumeSession: () => Promise.reject(refusal) };
    const rest = createFakeSite(instead);
    const { id } = rest.house.addSession();
    const problem = await problemIn(
      await rest.post(`/api/sessions/${id}/resume`, {}),
    );
    const { type: _type, title: _title, status: _status, ...told } = problem;
    const { detail, ...facts } = told;
    await using site = await listenFakeSite(instead);
    const client = await connectClient(site);
    const { error } = await client.call("task.session.resume", {
      session_id: site.house.addSession().id,
    });
    assert.deepEqual(error, { message: detail, ...facts });
  }
});

test("[API-133] what is wrong with params is said field by field", async () => {
  await using site = await listenFakeSite();
  const client = await connectClient(site);
  const { error } = await client.call("task.session.resume", {
    session_id: site.house.addSession().id,
    mode: 7,
  });
  assert.equal(error?.code, "invalid_request");
  assert.deepEqual(
    error.issues?.map(({ path }) => path),
    ["mode"],
  );
});

test("[API-134] resume and prompt take over WebSocket what REST takes", async () => {
  const resumed: [ResumeRequest | undefined, string | undefined][] = [];
  const prompts: PromptRequest[] = [];
  const known = createFakeSite();
  const { operations } = known.house;
  const instead: Operations = {
    ...operations,
    resumeSession: (id, request, key) => {
      resumed.push([request, key]);
      return operations.resumeSession(id, request, key);
    },
    queuePrompt: (id, request) => {
      prompts.push(request);
      return operations.queuePrompt(id, request);
    },
  };
  await using site = await listenFakeSite(instead);
  const client = await connectClient(site);
  const session_id = known.house.addSession().id;
  const changes = {
    mode: "read-only",
    without: ["model" as const],
    caller_env: { KEY: "1" },
  };
  const answer = await client.call("task.session.resume", {
    session_id,
    ...changes,
    idempotency_key: "k",
  });
  assert.equal(answer.error, undefined);
  assert.deepEqual(resumed, [[changes, "k"]]);
  const content = [{ type: "text" as const, text: "hi" }];
  for (const prompt of [{ text: "hi" }, { content }])
    assert.equal(
      (await client.call("session.prompt", { session_id, ...prompt })).error,
      undefined,
    );
  assert.deepEqual(prompts, [{ text: "hi" }, { content }]);
  const both = { session_id, text: "hi", content };
  const { error } = await client.call("session.prompt", both);
  assert.equal(error?.code, "invalid_request");
});
