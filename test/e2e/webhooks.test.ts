/** Webhooks of a real server: a receiver that is down, deaths of the server, settings that change, the command line. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { Webhook } from "standardwebhooks";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import {
  type Received,
  Receiver,
} from "../../src/webhooks/fixtures/receiver.ts";
import { say, seenUntil, type Server, TestHouse, turnEnded } from "./house.ts";

const SECRET = `whsec_${randomBytes(32).toString("base64")}`;

const houseWith = async (
  url: string,
  events?: readonly string[],
): Promise<TestHouse> => {
  const house = await TestHouse.make({
    webhooks: [
      {
        id: "ci",
        url,
        secret_file: "webhook-secret",
        ...(events === undefined ? {} : { events }),
      },
    ],
  });
  await writeFile(join(house.home, "webhook-secret"), `${SECRET}\n`, {
    mode: 0o600,
  });
  return house;
};

const startSession = async (
  { client }: Server,
  house: TestHouse,
  prompt: string,
): Promise<string> => {
  const { id } = await client.createSession({
    agent: "demo",
    cwd: house.workspace,
    prompt,
  });
  return id;
};

const verified = ({ body, headers }: Received) =>
  new Webhook(SECRET).verify(body, {
    "webhook-id": String(headers["webhook-id"]),
    "webhook-timestamp": String(headers["webhook-timestamp"]),
    "webhook-signature": String(headers["webhook-signature"]),
  });

const ENDED = ["session.turn.ended"];

void test("[WHK-4] [WHK-5] [WHK-7] a receiver verifies with the standardwebhooks package what happens in sessions and tasks", async (t: TestContext) => {
  const receiver = await Receiver.start(t);
  await using house = await houseWith(receiver.url);
  const server = await house.up();
  const { client } = server;
  const task = await client.createTask({
    title: "Say it",
    description: "hello",
    cwd: house.workspace,
    agent: "demo",
    run: true,
  });
  const bodies = () => receiver.received.map((each) => JSON.parse(each.body));
  await eventually(bodies, (all) =>
    all.some(
      ({ type, data }) => type === "task.state_changed" && data.to === "REVIEW",
    ),
  );
  const session = await startSession(server, house, "ask May I?");
  const asked = await eventually(bodies, (all) =>
    all.some(({ type }) => type === "session.permission.requested"),
  );
  for (const each of receiver.received) assert.ok(verified(each));
  const types = new Set(asked.map(({ type }) => type));
  assert.ok(types.has("task.attempt.ended"), [...types].join());
  const permission = asked.find(
    ({ type }) => type === "session.permission.requested",
  );
  assert.equal(permission.data.session_id, session);
  assert.equal(permission.data.permission.state, "pending");
  const ended = asked.find(({ type }) => type === "session.turn.ended");
  assert.equal(ended.data.task_id, task.id);
  assert.equal(ended.data.outcome, "completed");
  const ids = receiver.ids;
  assert.equal(new Set(ids).size, ids.length);
});

void test("[WHK-4] a permission that the session's policy answers is not sent", async (t) => {
  const receiver = await Receiver.start(t);
  await using house = await houseWith(receiver.url);
  const { client } = await house.up();
  const { id } = await client.createSession({
    agent: "demo",
    cwd: house.workspace,
    prompt: "ask-write a.txt x",
    permissions: { default: "allow-all" },
  });
  await receiver.count(1);
  await client.endSession(id);
  const { events } = await client.listEvents(id, { limit: 1000 });
  assert.ok(events.some(({ type }) => type === "session.permission.requested"));
  assert.deepEqual(
    receiver.received.map(({ body }) => JSON.parse(body).type),
    ["session.turn.ended"],
  );
});

void test("[WHK-9] [WHK-11] a receiver that is down, and a server that is killed before it could deliver, lose nothing and keep the order", async (t) => {
  const receiver = await Receiver.start(t);
  await using house = await houseWith(receiver.url, ENDED);
  const first = await house.up();
  await receiver.down();
  const session = await startSession(first, house, "one");
  await seenUntil(first.client, session, turnEnded(1));
  await say(first.client, session, "two");
  // What is durable was not delivered.
  await first.kill();
  await receiver.up();
  const second = await house.up();
  await say(second.client, session, "three");
  const received = await receiver.count(3);
  assert.deepEqual(
    received.map(({ body }) => JSON.parse(body).data.turn),
    [1, 2, 3],
  );
  for (const each of received) assert.ok(verified(each));
});

void test("[WHK-11] a server that is killed between the delivery and its record sends the event again, with the same id", async (t) => {
  const receiver = await Receiver.start(t);
  await using house = await houseWith(receiver.url, ENDED);
  const first = await house.up();
  // The receiver has it, and its answer never arrives.
  receiver.reply = async () => {
    await first.kill();
    return 204;
  };
  await startSession(first, house, "one");
  await receiver.count(1);
  await eventually(
    () => first.process.signalCode,
    (signal) => signal === "SIGKILL",
  );
  receiver.reply = () => 204;
  const second = await house.up();
  const [before, again] = await receiver.count(2);
  assert.equal(before?.id, again?.id);
  assert.equal(before?.body, again?.body);
  await eventually(
    () => second.client.listDeliveries({ webhook: "ci" }),
    ({ deliveries: [row] }) => row?.last?.outcome === "delivered",
  );
  await second.stop();
  await house.up();
  assert.equal(receiver.received.length, 2);
});

void test("[WHK-12] [WHK-15] [WHK-16] [WHK-17] [WHK-18] 410 switches off; the command line shows it, tests, and switches on", async (t) => {
  const receiver = await Receiver.start(t);
  await using house = await houseWith(`${receiver.url}?key=hunter2`, ENDED);
  const server = await house.up();
  receiver.reply = () => 410;
  const session = await startSession(server, house, "one");
  const listed = () => server.client.listWebhooks();
  const {
    webhooks: [off],
  } = await eventually(listed, ({ webhooks: [one] }) => one?.state === "off");
  assert.equal(off?.url, `${receiver.url}?key=…`);
  const list = await house.cli(["webhook", "list"]);
  assert.match(list.out, /ci +off +1 session .*wants nothing more \(410\)/);
  const doctor = await house.cli(["doctor"]);
  assert.match(doctor.out, /webhooks +ci is switched off.*webhook on ci/);
  const refused = await house.cli(["webhook", "test", "ci"]);
  assert.equal(refused.code, 1);
  assert.match(refused.out, /ci: not delivered: the receiver wants nothing/);
  receiver.reply = () => 204;
  const tested = await house.cli(["webhook", "test", "ci", "--json"]);
  assert.equal(JSON.parse(tested.out).status, 204);
  const words = await house.cli(["webhook", "test", "ci"]);
  assert.match(
    words.out,
    /^ci: delivered in \d+ ms \(204\)\. It is switched off all the same; `.*reprise webhook on ci` switches it on\.\n$/,
  );
  assert.equal(
    JSON.parse(receiver.received.at(-1)?.body ?? "").type,
    "webhook.test",
  );
  const on = await house.cli(["webhook", "on", "ci"]);
  assert.match(on.out, /^ci is on\. What waits in 1 session is sent now\./);
  await receiver.count(5);
  await eventually(listed, ({ webhooks: [one] }) => one?.waiting === 0);
  const deliveries = await house.cli(["webhook", "deliveries", "ci"]);
  assert.match(deliveries.out, new RegExp(`ci +${session} .*delivered`));
  const unknown = await house.cli(["webhook", "test", "other"]);
  assert.equal(unknown.code, 3);
  assert.match(unknown.err, /There is no webhook "other".*There are: ci\./s);
  // Nothing that was said or written tells a secret.
  const log = await readFile(join(house.home, "server.log"), "utf8");
  for (const text of [log, list.out, list.err, doctor.out])
    for (const secret of [SECRET, SECRET.slice(6), "hunter2"])
      assert.ok(!text.includes(secret));
});

void test("[WHK-2] [WHK-13] [WHK-19] [WHK-21] [WHK-22] notify changes config.json and nothing else in it, and a running server takes it up", async (t) => {
  const receiver = await Receiver.start(t);
  await using house = await TestHouse.make({
    idle_minutes: 7,
    agents: { mine: { command: ["/bin/cat"] } },
  });
  const config = join(house.home, "config.json");
  const url = `${receiver.url}/agents`;
  const before = await house.cli(["notify", "url", url]);
  assert.equal(before.code, 0, before.err);
  assert.match(before.out, /No server runs; it holds when one starts\./);
  assert.deepEqual(JSON.parse(await readFile(config, "utf8")), {
    idle_minutes: 7,
    agents: { mine: { command: ["/bin/cat"] } },
    notify: {
      desktop: false,
      url,
      token_file: null,
      on: ["needs_you", "finished"],
    },
  });
  const server = await house.up();
  const tested = await house.cli(["notify", "test"]);
  assert.equal(tested.code, 0, tested.err);
  assert.match(tested.out, /notify\.url: delivered/);
  const session = await startSession(server, house, "one");
  await receiver.count(2);
  assert.equal(receiver.received[1]?.body, "Turn 1 is over: completed");
  assert.match(
    String(receiver.received[1]?.headers["title"]),
    /^Finished: demo in work/,
  );

  const off = await house.cli(["notify", "off"]);
  assert.match(off.out, /The server has taken it up\./);
  await say(server.client, session, "two");
  const on = await house.cli(["notify", "url", url]);
  assert.match(on.out, /The server has taken it up\./);
  await say(server.client, session, "three");
  await receiver.count(3);
  assert.equal(receiver.received[2]?.body, "Turn 3 is over: completed");

  const mode = (await stat(config)).mode & 0o777;
  await writeFile(config, '{"idle_minutes": "often"}');
  const refused = await house.cli(["notify", "desktop", "on"]);
  assert.notEqual(refused.code, 0);
  assert.match(refused.err, /idle_minutes.*Nothing was changed/s);
  assert.equal(await readFile(config, "utf8"), '{"idle_minutes": "often"}');
  assert.equal((await stat(config)).mode & 0o777, mode);
  const { webhooks } = await server.client.listWebhooks();
  assert.deepEqual(
    webhooks.map(({ id }) => id),
    ["notify.url"],
  );
});

void test("[WHK-23] [WHK-24] a session in ERROR is told, and a turn that goes on by itself is not said to need anybody", async (t) => {
  const receiver = await Receiver.start(t);
  await using house = await TestHouse.make({
    notify: { url: receiver.url },
    agents: { broken: { command: ["/bin/false"] } },
  });
  const server = await house.up();
  const { client } = server;
  const waits = await client.createSession({
    agent: "demo",
    cwd: house.workspace,
    on_interrupt: "continue",
    prompt: "quota 3600",
  });
  await seenUntil(
    client,
    waits.id,
    ({ type }) => type === "session.turn.interrupted",
  );
  const { unresolved_prompts } = await client.showSession(waits.id);
  assert.notEqual(unresolved_prompts[0]?.goes_on ?? null, null);
  await eventually(
    () => client.listDeliveries({}),
    ({ deliveries }) =>
      deliveries.some(
        ({ session_id, next_at }) =>
          session_id === waits.id && next_at === null,
      ),
  );
  assert.deepEqual(receiver.received, []);

  await client.createSession({
    agent: "broken",
    cwd: house.workspace,
    name: "Broken",
    prompt: "hello",
  });
  const [told] = await receiver.count(1);
  assert.equal(told?.headers["title"], "Needs you: Broken");
  assert.match(told?.body ?? "", /^It is in ERROR and does nothing until/);
});

void test("[WHK-1] a webhook that cannot be one is refused with the reason when the server starts", async () => {
  const webhook = { id: "a", url: "https://x.example", secret_file: "s" };
  const wrong: [object, RegExp][] = [
    [{ ...webhook, url: "file:///etc/passwd" }, /must begin with http/],
    [{ ...webhook, url: "https://me:pw@x.example" }, /user name or a password/],
    [{ ...webhook, id: "A b" }, /lower-case letters/],
    [{ ...webhook, events: ["session.created"] }, /webhooks\.0\.events/],
  ];
  for (const [each, words] of wrong) {
    await using house = await TestHouse.make({ webhooks: [each] });
    await assert.rejects(house.up(), words);
  }
  await using house = await TestHouse.make({ webhooks: [webhook, webhook] });
  await assert.rejects(house.up(), /another webhook has the id a/);
});
