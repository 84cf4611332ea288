import assert from "node:assert/strict";
import { test } from "node:test";
import { unifiedDiff } from "../../kit/data/unified-diff.ts";
import { SessionId } from "../../contract/base/id.ts";
import { runCli } from "../fixtures/run-cli.ts";
import { SESSION } from "../fixtures/sample.ts";
import { palette } from "../terminal/palette.ts";
import { comparison } from "./comparison.ts";
import { type Outcome, countLines } from "./outcome.ts";

test("[RAC-5] lines of a diff are counted, also those that look like its headings", () => {
  const diff =
    unifiedDiff(
      { name: "a", text: "one\n-- two\nthree\n" },
      { name: "a", text: "one\n++ two\nthree\nfour" },
    ) + unifiedDiff({ name: null, text: "" }, { name: "b", text: "x\ny\n" });
  assert.deepEqual(countLines(diff), { added: 4, removed: 1 });
  assert.deepEqual(countLines(""), { added: 0, removed: 0 });
});

const outcome = (more: Partial<Outcome>): Outcome => ({
  number: 1,
  agent: "demo",
  session_id: null,
  prompt_id: null,
  cwd: null,
  status: "failed",
  text: "",
  error: null,
  files: [],
  lines: null,
  took_ms: null,
  tokens: null,
  check: null,
  passed: false,
  ...more,
});

test("[RAC-5] what is not known is left open and is not zero", () => {
  const rows = comparison(
    [
      outcome({}),
      outcome({
        number: 2,
        status: "completed",
        took_ms: 61_000,
        tokens: 12,
        lines: { added: 3, removed: 0, at_least: true },
        files: [{ path: "a", change: "added" }],
        check: { exit_code: 2, output: "" },
      }),
    ],
    { palette: palette(false), columns: null },
  );
  assert.equal(
    rows,
    `#  AGENT  OUTCOME    FILES  LINES          TIME   TOKENS  CHECK       SESSION
1  demo   failed     –      –              –      –       –           –
2  demo   completed  1      +3 -0 or more  1 min  12      failed (2)  –
`,
  );
});

test("[RAC-12] a terminal that is too narrow shows ids below, and whole", () => {
  const session_id = SessionId.parse(SESSION);
  const runs = [outcome({ session_id }), outcome({ number: 2, session_id })];
  const at = (columns: number) =>
    comparison(runs, { palette: palette(false), columns });
  assert.match(at(120), new RegExp(`^1  demo .* ${SESSION}$`, "m"));
  assert.equal(
    at(70),
    `#  AGENT  OUTCOME  FILES  LINES  TIME  TOKENS
1  demo   failed   –      –      –     –
2  demo   failed   –      –      –     –

#  SESSION
1  ${SESSION}
2  ${SESSION}
`,
  );
});

for (const [name, args, words] of [
  ["too many runs", ["--agents", "a,b", "--n", "11"], /22 runs/],
  ["no run at all", ["--n", "0"], /at least 1/],
  ["no agents", ["--agents", "a,,b"], /not a list of agents/],
  ["a name with a blank", ["--name", "a b"], /cannot be the name/],
  ["two places", ["--cwd", ".", "--session", SESSION], /either --cwd/],
  [
    "permissions of a fork",
    ["--session", SESSION, "--permissions", "ask"],
    /leave out --permissions/,
  ],
  ["a run that is not there", ["--keep", "2"], /no run 2/],
] as const)
  test(`[RAC-1] [RAC-8] ${name} is refused before anything is started`, async (t) => {
    const { code, stderr } = await runCli(t, ["race", "go", ...args], {
      url: "http://127.0.0.1:9",
    });
    assert.equal(code, 2, stderr);
    assert.match(stderr, words);
  });
