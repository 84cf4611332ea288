import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentDefinition } from "../../contract/agent/agent.ts";
import { patience } from "../../kit/fixtures/patience.ts";
import { answerByPolicy } from "./policy.ts";
import { type Asking, saidOf } from "./said-of-call.ts";

const asking = (command: string | string[]): Asking => ({
  title: "Terminal",
  tool_kind: "execute",
  tool_name: "Bash",
  tool: { id: "t1", input: { command } },
  options: [
    { id: "yes", name: "Yes", kind: "allow_once" },
    { id: "no", name: "No", kind: "reject_once" },
  ],
});

const answer = (
  permissions: AgentDefinition["permissions"],
  command: string | string[],
) =>
  answerByPolicy(
    { agent: "demo", home: "user", env_names: [], permissions },
    asking(command),
  );

const denied = (tool: string, command: string | string[]) =>
  answer({ default: "allow-all", rules: [{ tool, answer: "deny" }] }, command);
const allowed = (tool: string, command: string | string[]) =>
  answer({ default: "ask", rules: [{ tool, answer: "allow" }] }, command);

/** The command as the script of a shell. */
const single = (script: string): string =>
  `'${script.replaceAll("'", `'\\''`)}'`;
const double = (script: string): string =>
  `"${script.replaceAll(/[$`"\\]/g, "\\$&")}"`;

const SHELLS: readonly ((script: string) => string)[] = [
  (script) => `bash -c ${double(script)}`,
  (script) => `sh -c ${single(script)}`,
  (script) => `env A=1 bash -lc ${double(script)}`,
  (script) => `sudo -u root -- /bin/zsh -e -c ${single(script)}`,
  (script) => `eval ${double(script)}`,
  (script) => `xargs -n 1 sh -c ${single(script)}`,
  (script) => `timeout -k 5 10 "bash" -o errexit -c ${double(script)}`,
  (script) => `su - root -c ${single(script)}`,
];

test("[SES-71] what denies finds a command in shells within shells, however they are started and quoted", () => {
  const inner = ["rm x", "ls; rm x", "ls\nrm x", "echo $(rm x)", '"rm" x'];
  for (const script of inner)
    for (const first of SHELLS) {
      assert.equal(denied("Bash(rm x)", first(script)), "no", first(script));
      for (const second of SHELLS) {
        const line = second(first(script));
        assert.equal(denied("Bash(rm x)", line), "no", line);
        const third = `bash -c ${double(line)}`;
        assert.equal(denied("Bash(rm x)", third), "no", third);
      }
    }
});

test("[SES-71] what denies finds a command behind a program that runs it, in quotes and in the middle of others", () => {
  for (const command of [
    "sudo rm x",
    "sudo -u root rm x",
    "env -i A=1 rm x",
    "nohup nice -n 5 rm x",
    "ls | xargs -0 rm x",
    "timeout 5 rm x",
    "exec -a ls rm x",
    "command rm x",
    "busybox rm x",
    "find . -exec rm x ;",
    `trap "rm x" EXIT`,
    "alias ls='rm x'",
    "watch 'rm x'",
    `"rm" x`,
    `r\\m x`,
    `'r'm "x"`,
    "r\\\nm x",
    "\\rm x",
    ">f rm x",
    "2>/dev/null rm x",
    "f() { 'rm' x; }",
    "a=(1); ( 'rm' x )",
    `echo "$('rm' x)"`,
    "echo \\\"`'rm' x`",
    `diff <('rm' x) f`,
    `ls & 'rm' x`,
    "echo ${A:-$('rm' x)}",
    "cat <<'EOF'\nit's\nEOF\n'rm' x",
    ["bash", "-lc", "'rm' x"],
    ["env", "bash", "-lc", "cd y && sudo rm x"],
    ["env", "A=b c", "rm", "x"],
  ])
    assert.equal(denied("Bash(rm x)", command), "no", String(command));
  for (const command of [
    "echo rm x",
    "git rm x",
    "sudo git rm x",
    "git commit -m 'rm x'",
    `bash -c 'echo "rm" x'`,
    "echo hi # don't",
    `git commit -m "$(cat <<'EOF'\nit's (rm) done\nEOF\n)"`,
    'for f in a b; do echo "$f" $((1 + 2)); done',
    "find . -name '*.ts' | xargs grep -n it",
    ["bash", "-lc", "ls $HOME *.ts"],
    "bash build.sh $A",
    'if [ -f "$a" ]; then cat "$a" > b 2>&1; fi',
  ])
    assert.equal(denied("Bash(rm x)", command), "yes", String(command));
});

test("[SES-68] what allows a command allows no second one beside it", () => {
  const permissions: AgentDefinition["permissions"] = {
    default: "ask",
    rules: [{ tool: "Bash(git *)", answer: "allow" }],
  };
  const answerTo = (input: unknown) =>
    answerByPolicy(
      { agent: "demo", home: "user", env_names: [], permissions },
      { ...asking(""), tool: { id: "t1", input } },
    );
  assert.equal(answerTo({ command: "git", args: ["status"] }), "yes");
  assert.equal(answerTo({ command: "git status", cmd: "git log" }), "yes");
  assert.equal(answerTo({ command: "git status", cmd: "rm x" }), null);
});

test("[SES-74] what cannot be understood is asked where a rule denies, and not allowed by a star", () => {
  const nested = Array.from({ length: 12 }).reduce<string>(
    (script) => `eval ${single(script)}`,
    "ls",
  );
  for (const command of [
    "$X y",
    "`echo ls` y",
    `"$X" y`,
    "$'\\x72m' y",
    "/bin/r? y",
    "{ls,y}",
    'bash -c "$X"',
    'bash -c "ls $X"',
    "bash -c $'ls'",
    'eval "$X"',
    "sudo $X y",
    "echo ls | sh",
    "bash -s < f",
    "bash <(echo ls)",
    "bash <<< ls",
    "env -S'ls y'",
    "ls 'y",
    'ls "y',
    "ls \\",
    "ls $(y",
    "parallel ::: y",
    "sh <<EOF\nls\nEOF",
    nested,
  ]) {
    assert.equal(denied("Bash(rm *)", command), null, command);
    assert.equal(denied("Read(rm *)", command), "yes", "of another tool");
    assert.equal(allowed("Bash(*)", command), null, command);
    assert.equal(allowed(`Bash`, command), "yes", "the tool, whatever it does");
  }
});

test("[SES-75] a star brings no second command along, also inside a shell", () => {
  const rest = ["; y", "\ny", " & y", " | y", " && y", " || y", " $(y)"];
  const more = [" `y`", " <(y)", " >(y)", " > y", " < y", " ${ y;}"];
  const zsh = [" *(e:y:)", " =(y)"];
  for (const second of [...rest, ...more, ...zsh]) {
    const line = `git status${second}`;
    assert.equal(allowed("Bash(git *)", line), null, line);
    assert.equal(allowed("Bash(git:*)", line), null, line);
    for (const shell of SHELLS) {
      const start = shell("git status").replace(/status.*$/, "*");
      const inner = shell(line);
      if (!zsh.includes(second))
        assert.equal(allowed(`Bash(${start})`, inner), null, inner);
      const outer = shell("git status") + second;
      assert.equal(allowed(`Bash(${start})`, outer), null, outer);
    }
  }
  const star = 'Bash(bash -c "git *")';
  assert.equal(allowed(star, 'bash -c "git status"'), "yes");
  for (const hidden of [
    `bash -c "git "$'status\\x3b y'""`,
    'bash -c "git $X"',
    'bash -c "git status\\\n y" "$X" -c "y"; "',
  ])
    assert.equal(allowed(star, hidden), null, hidden);
  for (const plain of [
    'git commit -m "fix (it)"',
    "git log --format='%h (%s)'",
    "git show $X",
  ])
    assert.equal(allowed("Bash(git *)", plain), "yes", plain);
});

test("[SES-70] shells within shells and runners of runners do not take long", () => {
  for (const command of [
    "sudo ".repeat(1500),
    "xargs -a ".repeat(800),
    "xargs -a b ".repeat(700),
    "$(".repeat(3900),
    "${a:-".repeat(1500),
    "bash -c ".repeat(900),
    "eval '".repeat(1300),
    "<<a ".repeat(1900),
    "`\\".repeat(3900),
    "find " + "-exec ".repeat(1100),
    "((".repeat(3900),
  ]) {
    const began = performance.now();
    const { parts } = saidOf(asking(command), null);
    const took = performance.now() - began;
    assert.ok(parts.length <= 200 && parts.join("").length <= 32_000);
    assert.ok(took < patience(300), `${took} ms: ${command.slice(0, 20)}`);
    assert.notEqual(denied("Bash(rm *)", command), "yes", command.slice(0, 20));
  }
});
