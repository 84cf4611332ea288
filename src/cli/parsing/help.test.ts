import assert from "node:assert/strict";
import { test } from "node:test";
import { commands } from "../commands.ts";
import { memoryWorld } from "../fixtures/memory-world.ts";
import { help, usage } from "./help.ts";
import { main } from "../main.ts";

for (const command of commands)
  test(`reprise ${command.name} --help says all there is to say`, async () => {
    const { world, out, err } = memoryWorld();
    const argv = [...command.name.split(" "), "--help"];
    assert.equal(await main(argv, world), 0);
    assert.equal(err(), "");
    const text = out();
    const inOneLine = text.replaceAll(/\s+/g, " ");
    assert.ok(
      inOneLine.startsWith(`${usage(command).join(" ")} ${command.summary}.`),
    );
    for (const { name, help: words } of command.args)
      assert.ok(inOneLine.includes(` ${name} ${words}`), name);
    for (const [name, option] of Object.entries(command.options)) {
      assert.match(text, new RegExp(`^  (-\\w, )?--${name}( |$)`, "m"));
      assert.ok(inOneLine.includes(` ${option.help} `), name);
    }
    assert.match(text, /^ {2}--json /m);
    assert.match(text, /^ {2}-h, --help /m);
    assert.ok(command.examples.length > 0);
    for (const example of command.examples) {
      assert.ok(text.includes(`  $ ${example}\n`));
      assert.ok(example.includes(`reprise ${command.name}`));
    }
    for (const code of [0, 1, 2, 3, 4, 5])
      assert.match(text, new RegExp(`^  ${code} +\\S`, "m"));
    assert.match(command.summary, /^[A-Z].*[^.]$/);
    for (const line of text.split("\n"))
      if (!line.startsWith("  $ ")) assert.ok(line.length <= 80, line);
  });

test("help of everything and of a group names every command in it", () => {
  const all = help("", commands);
  const inOneLine = all.replaceAll(/\s+/g, " ");
  const group = help("session", commands);
  for (const line of all.split("\n")) assert.ok(line.length <= 80, line);
  for (const { name, summary } of commands) {
    assert.match(all, new RegExp(`^  ${name}( |$)`, "m"));
    assert.ok(inOneLine.includes(` ${summary} `), summary);
    assert.equal(group.includes(`  ${name} `), name.startsWith("session "));
  }
});

test("help is found however it is asked for", async () => {
  for (const argv of [[], ["--help"], ["-h"], ["help"]]) {
    const { world, out } = memoryWorld();
    assert.equal(await main(argv, world), 0);
    assert.match(out(), /^reprise COMMAND\n/);
  }
  const { world, out } = memoryWorld();
  assert.equal(await main(["help", "session", "start"], world), 0);
  assert.match(out(), /^reprise session start \[PROMPT\]/);
});

test("a group without a command is answered with its help, exit 2", async () => {
  const { world, out, err } = memoryWorld();
  assert.equal(await main(["session"], world), 2);
  assert.equal(out(), "");
  assert.match(err(), /^reprise session COMMAND\n/);
});

test("--version and -v", async () => {
  for (const asked of ["--version", "-v"]) {
    const { world, out } = memoryWorld();
    assert.equal(await main([asked], world), 0);
    assert.equal(out(), "1.2.3\n");
  }
});

test("commands in help and in errors are shown as this one was called", async () => {
  const called = memoryWorld({ program: "bin/reprise" });
  assert.equal(await main(["session", "start", "--help"], called.world), 0);
  assert.match(called.out(), /^bin\/reprise session start \[PROMPT\]/);
  assert.match(called.out(), /\$ bin\/reprise session start "/);
  assert.match(called.out(), /\| bin\/reprise session start -/);
  assert.match(called.out(), /`bin\/reprise agents`/);
  assert.equal(await main(["sesion"], called.world), 2);
  assert.match(called.err(), /^reprise: .*`bin\/reprise session`/);
});

test("help keeps to the width of the terminal, with a command as long as it is typed", () => {
  for (const columns of [72, 76]) {
    const text = help("task create", commands, {
      program: "bin/reprise",
      columns,
    });
    assert.match(text, /^bin\/reprise task create/);
    for (const line of text.split("\n"))
      if (!line.startsWith("  $ ")) assert.ok(line.length <= columns, line);
  }
  const wide = help("task create", commands, { columns: 200 });
  assert.equal(wide, help("task create", commands));
});

test("help names every variable that the command line reads", () => {
  for (const name of ["URL", "TOKEN", "HOME", "PORT"])
    assert.match(help("", commands), new RegExp(`^  REPRISE_${name} `, "m"));
});

test("examples name only agents that everybody has", () => {
  for (const { name, examples } of commands)
    for (const example of examples)
      for (const agent of (
        /--agents? (\S+)/.exec(example)?.[1] ?? "demo"
      ).split(","))
        assert.match(agent, /^demo(-inject|-fresh)?$/, name);
});

test("[API-124] help of a resume says what becomes of permissions that are not named", () => {
  const text = help("session resume", commands);
  assert.match(text, /--permissions [^]*without\s+them\s+nothing\s+changes/);
  assert.doesNotMatch(text, /default\s+ask/);
  assert.match(help("session start", commands), /default\s+ask/);
});
