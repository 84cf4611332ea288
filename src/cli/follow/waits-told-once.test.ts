import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../client/client.ts";
import { NO_QUOTA } from "../../contract/session/quota.ts";
import { until } from "../../kit/fixtures/patience.ts";
import { fakeServer } from "../fixtures/fake-server.ts";
import { memoryWorld } from "../fixtures/memory-world.ts";
import {
  numbered,
  samplePrompt,
  sampleSession,
  SESSION,
} from "../fixtures/sample.ts";
import { follow } from "./follow.ts";
import { progressOf } from "./progress.ts";

test("[SES-159] until when a prompt waits is said once, also when midnight passes meanwhile", async (t) => {
  const evening = new Date(2026, 2, 1, 23, 59, 30);
  const morning = new Date(2026, 2, 2, 0, 0, 30);
  const prompts_wait_until = new Date(2026, 2, 2, 0, 30).toISOString();
  let last_seq = 1;
  const session = () =>
    sampleSession({
      state: "WAITING_FOR_INPUT",
      last_seq,
      queued_prompts: [samplePrompt],
      quota: { ...NO_QUOTA, prompts_wait_until },
    });
  const server = await fakeServer(t, { showSession: session });
  const client = connect({ url: server.url, token: "t" });
  let now = evening;
  const { world, out, signal } = memoryWorld({ now: () => now });
  const following = follow(
    { ...world, json: false, client: async () => client },
    client,
    {
      session: SESSION,
      after: last_seq,
      progress: progressOf(session()),
      until: last_seq,
    },
  );
  await until(() => server.asked.length > 0);
  now = morning;
  last_seq = 2;
  server.publish(
    ...numbered(2, [
      {
        type: "session.agentctl_error",
        data: { runtime: "standalone", code: "slow", message: "It is slow." },
      },
    ]),
  );
  await until(() => out().includes("! It is slow."));
  signal("SIGINT");
  assert.equal(await following, 130);
  assert.equal(
    out(),
    "── the prompt waits and begins by itself at 2026-03-02 00:30\n! It is slow.\n",
  );
});
