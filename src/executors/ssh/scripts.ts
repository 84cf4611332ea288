/**
 * What runs on a host before anything of ours is there: two scripts of POSIX sh. Each becomes one line, so every line of them
 * ends as it would in the middle of one. Values are arguments. What a profile prints comes before MARK and is not ours.
 */
export const MARK = "@reprise";

/** What they and agentctl need there, besides sh. */
export const NEEDED = ["uname", "mkdir", "mkfifo", "mv", "rm", "sync", "tar"];

const DIRECTORY = `
  d=$1;
  case $d in "~/"*) d=$HOME/\${d#??};; esac;
`;

/**
 * `DIRECTORY RUNTIME BUILD MODE [ARG …]`: says what this machine is and what it lacks, or becomes the relay. In the mode
 * `look` nothing is wanted where nothing of ours ever was.
 */
export const KNOCK = `
  ${DIRECTORY}
  r=$d/programs/$2/node;
  b=$d/programs/$3/ssh-relay.js;
  echo "${MARK}";
  for p in ${NEEDED.join(" ")}; do
    command -v "$p" >/dev/null || { echo "without $p"; exit 0; };
  done;
  echo "on $(uname -sm)";
  if [ "$4" = look ]; then
    [ -d "$d/agentctl" ] || { echo nobody; exit 0; };
  fi;
  l=;
  [ -x "$r" ] || l="$l $2";
  [ -f "$b" ] || l="$l $3";
  if [ -n "$l" ]; then
    echo "lacks$l";
    exit 0;
  fi;
  shift 4;
  echo relays;
  exec "$r" "$b" --home "$d" --node "$r" "$@"
`;

/**
 * `DIRECTORY NAME LAST`: takes a directory of programs as tar from standard input. It gets its name when all of it is there:
 * tar may take an archive that was cut between two files for a whole one, so the last file has to be in it.
 */
export const RECEIVE = `
  ${DIRECTORY}
  n=$2;
  t=$d/programs/.sent-$n.$$;
  umask 077;
  mkdir -p "$d/programs" && mkdir "$t" || exit 1;
  tar -xof - -C "$t" && [ -f "$t/$n/$3" ] && sync || { rm -rf "$t"; exit 1; };
  mv "$t/$n" "$d/programs/" 2>/dev/null || [ -d "$d/programs/$n" ] || { rm -rf "$t"; exit 1; };
  rm -rf "$t";
  echo "${MARK}";
  echo received
`;
