/** Words and programs that run other commands, and how they are given them. What none of these names runs is not seen. */

/** A command may follow these. */
export const SHELL_WORDS = new Set(
  "if then elif else fi while until do done esac ! { } and or not begin".split(
    " ",
  ),
);
/** Programs that run a script which they are given with `-c`. */
export const SHELLS =
  /^(?:(?:a|ba|c|da|fi|k|mk|pdk|r|rba|tc|ya|z)?sh|su|sg|runuser|script)$/;
export const RUNS_SCRIPT = /^(?:-[a-z]*c[a-z]*|--c[a-z]*|--se[a-z-]*)$/i;
/** `-s`: commands come from the input, whatever the operands are. */
export const READS_INPUT = /^-[a-z]*s/i;
/** A script that is a part of its option: `env -Srm`, `su --command=reboot`. */
export const HOLDS_SCRIPT: Readonly<Record<string, RegExp>> = {
  env: /^(?:-[a-z0]*S|--s)/,
  su: /^(?:-[a-z]*c.|--(?:c|se).*=)/,
  runuser: /^(?:-[a-z]*c.|--(?:c|se).*=)/,
  script: /^(?:-[a-z]*c.|--c.*=)/,
};
/** A file that is what another program writes. */
export const PASSED_ON = /^\/+(?:dev|proc)\/|(?:^|\/)(?:stdin|fd\/\d+)$/i;
/** Words that a command may follow in the middle of another: `for f do rm x`, `if [[ a ]] then rm x`. */
export const FOLLOWED: Readonly<Record<string, string>> = {
  for: "do",
  select: "do",
  "[[": "]]",
};
/** Programs that run the command behind their options, and how many words of their own may stand before it. */
export const RUNNERS: Readonly<Record<string, number>> = {
  "-": 0,
  builtin: 0,
  busybox: 0,
  catchsegv: 0,
  choom: 0,
  chronic: 0,
  chroot: 1,
  chrt: 1,
  command: 0,
  coproc: 1,
  cpulimit: 0,
  "dbus-run-session": 0,
  doas: 0,
  eatmydata: 0,
  entr: 0,
  env: 0,
  exec: 0,
  fakeroot: 0,
  faketime: 1,
  flock: 1,
  function: 1,
  gosu: 1,
  ifne: 0,
  ionice: 0,
  linux32: 0,
  linux64: 0,
  ltrace: 0,
  nice: 0,
  nocorrect: 0,
  noglob: 0,
  nohup: 0,
  nsenter: 0,
  numactl: 0,
  pkexec: 0,
  prlimit: 0,
  repeat: 1,
  runuser: 0,
  setarch: 1,
  setpriv: 0,
  setsid: 0,
  "ssh-agent": 0,
  ssh: 1,
  stdbuf: 0,
  strace: 0,
  sudo: 0,
  "systemd-run": 0,
  taskset: 1,
  time: 0,
  timeout: 1,
  toybox: 0,
  unbuffer: 0,
  unshare: 0,
  valgrind: 0,
  watch: 0,
  xargs: 0,
};
/** What is given to these is run later, by the shell itself or by the next one. */
export const RUN_LATER =
  /^(?:BASH_CMDS\[|BASH_ALIASES\[|(?:BASH_ENV|ENV|PROMPT_COMMAND|PS0|PS1|PS4)\+?=)/;
/** `find … -exec rm {} ;` */
export const RUNS_REST = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
/** Each of their words may be a script. */
export const RUNS_WORDS = new Set(
  "trap alias mapfile readarray complete compgen".split(" "),
);
