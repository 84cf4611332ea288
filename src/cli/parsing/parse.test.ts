import assert from "node:assert/strict";
import { test } from "node:test";
import { commands } from "../commands.ts";
import { parse } from "./parse.ts";
import { UsageError } from "./usage-error.ts";

test("arguments and options come as they were declared", () => {
  const parsed = parse(
    ["session", "events", "ses_1", "--after", "12", "--follow"],
    commands,
  );
  assert.ok(parsed.kind === "run");
  assert.equal(parsed.command.name, "session events");
  assert.deepEqual(parsed.input, {
    args: { ID: "ses_1" },
    options: { after: 12, follow: true },
    rest: [],
  });
});

test("[RUN-11] behind -- stands another program's command line, untouched", () => {
  const line = ["ls", "-h", "--json", "--", "--timeout", "x"];
  const parsed = parse(
    ["session", "exec", "x", "--timeout", "5", "--", ...line],
    commands,
  );
  assert.ok(parsed.kind === "run");
  assert.deepEqual(parsed.input.rest, line);
  assert.equal(parsed.input.options["timeout"], 5);
});

test("a prompt may begin with a dash after --, and - is a text", () => {
  const dashed = parse(["session", "prompt", "x", "--", "--help"], commands);
  assert.ok(dashed.kind === "run");
  assert.equal(dashed.input.args["TEXT"], "--help");
  const stdin = parse(["session", "prompt", "x", "-"], commands);
  assert.ok(stdin.kind === "run");
  assert.equal(stdin.input.args["TEXT"], "-");
});

const wrong: [argv: string[], words: RegExp][] = [
  [["sessions"], /no command "sessions".*`reprise session`.*`reprise --help`/],
  [["session", "stat"], /no command "session stat".*`reprise session --help`/],
  [["session", "show"], /ID is missing/],
  [["session", "exec", "x"], /CMD is missing: it goes after "--"/],
  [["session", "exec", "x", "ls"], /Too many arguments, from "ls" on/],
  [["session", "show", "a", "b"], /Too many arguments, from "b" on.*quotes/],
  [
    ["session", "start", "--balloon", "x"],
    /^`reprise session start` has no option --balloon\. See `/,
  ],
  [
    ["session", "start", "--folow"],
    /no option --folow\. Did you mean --follow\?/,
  ],
  [["up", "--prot", "1"], /no option --prot\. Did you mean --port\?/],
  [["session", "pasue", "x"], /Did you mean `reprise session pause`\?/],
  [["sesion", "list"], /Did you mean `reprise session`\?/],
  [["list"], /no command "list"\. Did you mean `reprise session list`\?/],
  [["start", "go"], /no command "start"\. .*`reprise session start`\?/],
  [["session", "start", "--follow=yes"], /--follow takes no value/],
  [["session", "start", "-x"], /no option -x/],
  [["session", "start", "--name", "--follow"], /"--follow" looks like another/],
  [["up", "--port", "65536"], /--port must be at most 65535, not 65536/],
  [["session", "events", "x", "--after", "-1"], /--after/],
  [["session", "events", "x", "--after", "soon"], /whole number, not "soon"/],
  [
    ["up", "--recovery", "never"],
    /one of all, startup, lazy, off, not "never"/,
  ],
  [["session", "resolve", "x", "y", "z"], /ACTION must be one of continue/],
  [["task", "create", "T"], /--description is missing/],
  [["--json", "session", "list"], /Options come after the command/],
  [["session", "prompt", "x", "y", "--key"], /--key/],
];
for (const name of ["cwd", "worktree", "name"])
  wrong.push([["session", "start", `--${name}`, ""], /must not be empty/]);
for (const [argv, words] of wrong)
  test(`[API-49] wrong usage is explained: reprise ${argv.join(" ")}`, () => {
    assert.throws(
      () => parse(argv, commands),
      (error) => error instanceof UsageError && words.test(error.message),
    );
  });
