#!/usr/bin/env node
/**
 * Shows that a session remembers across invocations: one process tells an agent a passkey, another one asks for it.
 *
 *     examples/test-session-resume-passkey.js [AGENT]
 *
 * AGENT is `demo` unless it is said: that one needs no model and no login. A server must run (`reprise up`). The key is
 * another one in each run, so an answer cannot come from anywhere but this session.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const agent = process.argv[2] ?? "demo";
if (agent.startsWith("-")) {
  console.log(
    "test-session-resume-passkey.js [AGENT]; `reprise agents` lists them",
  );
  process.exit(agent === "--help" ? 0 : 2);
}
const reprise = fileURLToPath(new URL("../bin/reprise", import.meta.url));
const home = process.env.REPRISE_HOME || join(homedir(), ".reprise");
const passkey = `SECRET_PASS_${Date.now()}_${randomBytes(4).toString("hex")}`;

/** Runs one command to its end: a process of its own, which keeps nothing for the next. */
const run = async (...args) => {
  const { stdout } = await promisify(execFile)(reprise, args, {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
};

/** What the agent says, without the lines that repeat the prompt. */
const answerIn = (output) =>
  output
    .split("\n")
    .filter((line) => !/^(>|──|ses_)/.test(line))
    .join("\n")
    .trim();

/** The blocks of `session.log`: `[time] TITLE:` and the lines below it. */
const readLog = async (sessionId) => {
  const path = join(home, "sessions", sessionId, "session.log");
  const text = await readFile(path, "utf8");
  const blocks = text
    .split(/^(?=\[\d{4}-\d\d-\d\dT[\d:.]+Z\] )/m)
    .map((block) => {
      const [, title, body] =
        /^\[[^\]]+\] ([^\n]*):\n([^]*)$/.exec(block) ?? [];
      return { title, body: body?.trim() };
    });
  return { path, of: (title) => blocks.filter((each) => each.title === title) };
};

const failures = [];
const check = (holds, sentence) => {
  console.log(`${holds ? "✅" : "❌"} ${sentence}`);
  if (!holds) failures.push(sentence);
};

// The last line of each prompt is a command of the demo agent; other agents read it as part of the request.
const first = await run(
  "session",
  "start",
  `Hello! Please remember this passkey: "${passkey}". Answer with one sentence that you will.\nremember passkey=${passkey}`,
  "--agent",
  agent,
  "--follow",
);
const sessionId = /\bses_[0-9a-z]{26}\b/.exec(first)?.[0];
if (sessionId === undefined) {
  console.error(`No session id in the output of the first command:\n${first}`);
  process.exit(1);
}
console.log(`Session: ${sessionId} (${agent})`);
const acknowledgement = answerIn(first);
check(acknowledgement !== "", "The agent acknowledged the passkey.");

const second = await run(
  "session",
  "prompt",
  sessionId,
  "What is the passkey that I gave you? Answer with the passkey.\nrecall passkey",
  "--follow",
);
const recalled = answerIn(second);
check(recalled.includes(passkey), "The agent recalled the passkey.");

const log = await readLog(sessionId);
const prompts = log.of("FINAL USER PROMPT (with dynamic restrictions)");
check(
  prompts.filter(({ body }) => body.includes(passkey)).length === 1,
  "session.log holds the passkey in one prompt, the first.",
);
check(
  log.of("TURN COMPLETED").length === 2,
  "session.log tells of two completed turns.",
);

if (failures.length > 0) {
  console.error(`\nFAILED: ${failures.join(" ")}`);
  console.error(`The log is ${log.path}.`);
  console.error(`Acknowledgement:\n${acknowledgement}\nRecall:\n${recalled}`);
  process.exit(1);
}
console.log(
  "\n🎉 SUCCESS: Session memory persistence is working correctly!\n" +
    "✅ The agent successfully remembered the passkey across separate invocations.\n" +
    "✅ Our session resumption implementation follows the official specification.",
);
