import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test, type TestContext } from "node:test";
import { NotifySettings } from "../../contract/api/webhook-settings.ts";
import type { Channel } from "../channel.ts";
import { channelsOf } from "../channels.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { asked, sessionId, turnEnded } from "../fixtures/happenings.ts";
import { messageOf } from "../message/message.ts";
import { commandFor } from "./desktop.ts";

const one = sessionId(1);
const { signal } = new AbortController();
const HOSTILE = `"; touch /tmp/x; $(id) <b>&amp;</b> <img src="http://evil"> -e quit`;

const homeOf = async (t: TestContext): Promise<string> => {
  const home = await mkdtemp(join(tmpdir(), "reprise-notify-"));
  t.after(() => rm(home, { recursive: true }));
  return home;
};

const channelIn = (
  home: string,
  notify: object,
  env: NodeJS.ProcessEnv = {},
): Channel => {
  const [channel] = channelsOf(
    { webhooks: [], notify: NotifySettings.parse(notify) },
    { home, version: "1", env, now: () => new Date(), platform: "linux" },
  );
  assert.ok(channel !== undefined);
  return channel;
};

void test("[WHK-20] a desktop notification is one program with the text as arguments, and markup in it is escaped", async (t) => {
  const home = await homeOf(t);
  const told = join(home, "told");
  await writeFile(
    join(home, "notify-send"),
    `#!/bin/sh\nfor each in "$@"; do printf '%s\\n' "$each"; done > ${told}\nenv >> ${told}\n`,
    { mode: 0o755 },
  );
  const PATH = [home, process.env["PATH"] ?? ""].join(delimiter);
  const channel = channelIn(
    home,
    { desktop: true },
    { PATH, DISPLAY: ":7", API_KEY: "hunter2" },
  );
  const message = messageOf(asked(one, 1, HOSTILE), null);
  assert.deepEqual(await channel.send(message, signal), {
    kind: "delivered",
    status: null,
  });
  const lines = (await readFile(told, "utf8")).split("\n");
  assert.deepEqual(lines.slice(0, 5), [
    "--app-name=Reprise",
    "--urgency=critical",
    "--",
    `Needs you: ${one}`,
    `It asks: "; touch /tmp/x; $(id) &lt;b&gt;&amp;amp;&lt;/b&gt; &lt;img src="http://evil"&gt; -e quit`,
  ]);
  assert.ok(lines.includes("DISPLAY=:7"));
  assert.ok(!lines.some((line) => line.includes("hunter2")));
});

void test("[WHK-20] titles and texts that look like options, hold newlines, bidi controls or escapes arrive as what they are", async (t) => {
  const home = await homeOf(t);
  const told = join(home, "told");
  await writeFile(
    join(home, "notify-send"),
    `#!/bin/sh\nfor each in "$@"; do printf '%s\\0' "$each"; done > ${told}\n`,
    { mode: 0o755 },
  );
  const PATH = [home, process.env["PATH"] ?? ""].join(delimiter);
  const channel = channelIn(home, { desktop: true }, { PATH });
  const session = { agent: "demo", cwd: "/w" };
  for (const [name, title, shown, text] of [
    [
      "--help",
      "-u low\n--icon=/etc/x",
      "Needs you: --help",
      "It asks: -u low --icon=/etc/x",
    ],
    [
      "a\u202eb\u2066\u0000",
      "\\074b\\076\\n",
      "Needs you: a b",
      "It asks: \\\\074b\\\\076\\\\n",
    ],
    [
      "<b>x</b>",
      "<a href='x'>&",
      "Needs you: <b>x</b>",
      "It asks: &lt;a href='x'&gt;&amp;",
    ],
  ] as const) {
    const message = messageOf(asked(one, 1, title), { ...session, name });
    assert.equal((await channel.send(message, signal)).kind, "delivered");
    const [, , dashes, ...rest] = (await readFile(told, "utf8")).split("\0");
    assert.deepEqual([dashes, ...rest], ["--", shown, text, ""]);
  }
});

void test("[WHK-20] on macOS the text is an argument of the script and no part of it", () => {
  const { note } = messageOf(asked(one, 1, HOSTILE), null);
  const { program, args } = commandFor("darwin", note);
  assert.equal(program, "osascript");
  const end = args.indexOf("--");
  assert.deepEqual(args.slice(end + 1), [note.title, note.text]);
  assert.ok(!args.slice(0, end).some((each) => each.includes("touch")));
});

void test("[WHK-20] a desktop that cannot be told says why, and is tried once", async (t) => {
  const home = await homeOf(t);
  const channel = channelIn(home, { desktop: true }, { PATH: home });
  const message = messageOf(turnEnded(one, 1), null);
  const missing = await channel.send(message, signal);
  assert.match(
    JSON.stringify(missing),
    /notify-send was not found; install it/,
  );
  await writeFile(join(home, "notify-send"), "#!/bin/sh\nexit 3\n", {
    mode: 0o755,
  });
  const failed = await channel.send(message, signal);
  assert.match(JSON.stringify(failed), /exit status 3/);
  assert.deepEqual(channel.pausesMs, []);
  assert.equal(channel.maxAgeMs, 600_000);
});

void test("[WHK-21] a notification to an address has the text as its body, the rest in headers, and the token of its file", async (t) => {
  const home = await homeOf(t);
  const receiver = await Receiver.start(t);
  await writeFile(join(home, "token"), "tk_hunter2\n", { mode: 0o600 });
  const url = receiver.url;
  const channel = channelIn(home, { url, token_file: "token" });
  const session = { name: "Lösung", agent: "demo", cwd: "/w" };
  const outcome = await channel.send(
    messageOf(asked(one, 1, "Schreibe ü\r\nX-Evil: 1"), session),
    signal,
  );
  assert.equal(outcome.kind, "delivered");
  const [request] = receiver.received;
  assert.equal(request?.body, "It asks: Schreibe ü X-Evil: 1");
  const title = Buffer.from("Needs you: Lösung").toString("base64");
  assert.equal(request.headers["title"], `=?UTF-8?B?${title}?=`);
  assert.equal(request.headers["priority"], "high");
  assert.equal(request.headers["authorization"], "Bearer tk_hunter2");
  assert.equal(request.headers["webhook-signature"], undefined);

  await writeFile(join(home, "token"), "two\nlines hunter2");
  assert.match((await channel.problem()) ?? "", /holds no token/);
  const refused = await channel.send(
    messageOf(turnEnded(one, 2), null),
    signal,
  );
  assert.equal(refused.kind, "failed");
  assert.ok(!JSON.stringify(refused).includes("hunter2"));
  assert.equal(receiver.received.length, 1);
});

void test("[WHK-19] `on` says what a person is notified of", async (t) => {
  const home = await homeOf(t);
  const wants = (on: string[]) => {
    const channel = channelIn(home, { desktop: true, on });
    return [asked(one, 1), turnEnded(one, 2)].map(channel.wants);
  };
  assert.deepEqual(wants(["needs_you"]), [true, false]);
  assert.deepEqual(wants(["finished"]), [false, true]);
  assert.deepEqual(wants(["needs_you", "finished"]), [true, true]);
});
