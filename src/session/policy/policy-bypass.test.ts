/** Command lines that run `rm -rf x` where a reader that differs from a shell does not see it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answerByPolicy } from "./policy.ts";

const answer = (command: string) =>
  answerByPolicy(
    {
      agent: "demo",
      home: "user",
      env_names: [],
      permissions: {
        default: "allow-all",
        rules: [{ tool: "Bash(rm -rf *)", answer: "deny" }],
      },
    },
    {
      title: "Terminal",
      tool_kind: "execute",
      tool_name: "Bash",
      tool: { id: "t1", input: { command } },
      options: [
        { id: "yes", name: "Yes", kind: "allow_once" },
        { id: "no", name: "No", kind: "reject_once" },
      ],
    },
  );

test("[SES-71] a line is divided into words and commands where shells divide it", () => {
  for (const command of [
    "sudo \\\n bash -c 'rm -rf x'",
    "timeout 5 \\\n sh -c 'rm -rf x'",
    "FOO=1 \\\n sudo rm -rf x",
    "sudo \\\n -u root rm -rf x",
    "sudo \\\n\\\n\t\\\n r\\m -rf x",
    "> \\\n f r\\m -rf x",
    "rm &>/dev/null -rf x",
    "rm &>>f -rf x",
    "rm &> \\\n f -rf x",
    "ls &>f r\\m -rf x",
    "time -p rm -rf x",
    "time -p -- r\\m -rf x",
    "TIME -p rm -rf x",
    "echo \f#; r\\m -rf x",
    "echo \u00a0#; r\\m -rf x",
    "echo \v#; r\\m -rf x",
    "echo \r#; r\\m -rf x",
    "echo \u2003#; r\\m -rf x",
    "cat <<EOF\neof\n'\nEOF\nr\\m -rf x #'",
    "cat <<x\nX\n'\nx\nr\\m -rf x #'",
    "for f do r\\m -rf x; done",
    "if [[ a ]] then r\\m -rf x; fi",
    "if if true; then true; fi then r\\m -rf x; fi",
    "env - r\\m -rf x",
    "runuser -u root -- r\\m -rf x",
    "su --session-command 'r\\m -rf x'",
    "noglob r\\m -rf x",
    "repeat 3 r\\m -rf x",
    "fish -c 'not r\\m -rf x'",
    "eval -- r\\m -rf x",
    "bash -co pipefail 'r\\m -rf x'",
    "bash -oc pipefail 'r\\m -rf x'",
    "mapfile -C 'r\\m -rf x #' -c 1 <<< x",
    "compgen -C 'r\\m -rf x' x",
    "prlimit --nofile=100 r\\m -rf x",
    "setarch x86_64 r\\m -rf x",
    "sg root -c 'r\\m -rf x'",
  ])
    assert.equal(answer(command), "no", JSON.stringify(command));
});

test("[SES-74] what shells read in different ways, decode, or get from elsewhere is asked", () => {
  for (const command of [
    "echo $[1<<2]\nr\\m -rf x\n2]",
    'echo "$[1<<2]"',
    "rm $'-rf' x",
    "rm $'\\x2drf' x",
    "bash -s a <<< 'r\\m -rf x'",
    "echo 'r\\m -rf x' | bash -s a",
    "echo 'r\\m -rf x' | bash -o errexit -es a",
    "echo 'r\\m -rf x' | bash /dev/stdin",
    "echo 'r\\m -rf x' | bash /dev/fd/0 a",
    "echo 'r\\m -rf x' | sh /proc/self/fd/0",
    "echo 'r\\m -rf x' | bash //dev/stdin",
    "cd /dev; echo 'r\\m -rf x' | bash ./stdin",
    "echo 'r\\m -rf x' | bash -",
    ". /dev/stdin <<< 'r\\m -rf x'",
    "source <(echo 'r\\m -rf x')",
    "cat <\\\n<X\n'\nX\nr\\m -rf x #'",
    'echo "$\\\n(r\\m -rf x)"',
    "cat <<E\na\\\nE\n'\nE\nr\\m -rf x #'",
    "echo $(cat <<E\nE)\nr\\m -rf x\nE\n)",
    "echo $(cat <<E)\nr\\m -rf x\nE",
    "cat <<$X\n$X\nls",
    "echo $(case y in y) r\\m -rf x;; esac)",
    "echo $(case y in (z) ls;; y) r\\m -rf x;; esac)",
    "rm >! f -rf x",
    "rm >>| f -rf x",
    "env -Srm -rf x",
    "env '-Sr\\m\\_-rf\\_x'",
    "su --command=r\\\\m root",
    "su -creboot root",
    "shopt -s expand_aliases\nalias y=rm\ny -rf x",
    "y=\\$\\(r\\m\\ -rf\\ x\\); echo ${y@P}",
    "echo ${(e)y}",
    "=rm -rf x",
  ])
    assert.equal(answer(command), null, JSON.stringify(command));
});

test("[SES-74] what is understood is not asked", () => {
  for (const command of [
    "ls \\\n -la \\\n x",
    "make && \\\n  npm test",
    "make |\\\n tee f",
    "npm test &>/dev/null",
    "npm test &>> log; ls",
    "npm test >&2 2>&1 >| f",
    "sleep 5 & ls",
    "time npm test",
    "time -p npm test",
    "cat > f <<'EOF'\na\\\n$(b) `c`\nEOF",
    "cat <<EOF > f\nit is\nEOF\nls",
    'git commit -m "$(cat <<EOF\nit is\nEOF\n)"',
    "bash build.sh -s",
    "bash -e ./build.sh",
    "source .venv/bin/activate && ls",
    ". ./env.sh",
    "for f in a b; do echo $f; done",
    "if [[ -f a ]]; then ls; fi",
    "env -i A=1 ls",
    "env A=1 curl -sS url",
    "trap cleanup EXIT",
    "bash -eo pipefail -c 'ls'",
    "echo ${a@Q} ${b:-c} ${#d}",
    "grep -rn '$[' src",
    "echo caf\u00e9\u00a0x",
  ])
    assert.equal(answer(command), "yes", JSON.stringify(command));
});
