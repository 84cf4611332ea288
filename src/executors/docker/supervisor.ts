import { LINK_TOKEN_FILE, OWNER_FILE } from "../../contract/link/link.ts";
import { INSIDE, RUN, SOCKET, TOKEN } from "./directories.ts";

/**
 * The loop that runs agentctl in a container, below the engine's init. It needs no program of an image but these four, and
 * lives as long as the container. The engine hands it signals by the init: USR1 ends an agentctl that is frozen, TERM
 * ends everything. An agentctl that ended by itself, or listened before it died, is followed by the next one at once.
 */
export const supervisorText = (log: { mb: number; files: number }): string => `
for program in mv mkfifo sleep; do
  command -v "$program" >/dev/null || {
    echo "the image has no $program; agentctl needs /bin/sh, /bin/mv, mkfifo and sleep"
    exit 69
  }
done
[ -x /bin/mv ] || {
  echo "the image has no /bin/mv; agentctl needs /bin/sh, /bin/mv, mkfifo and sleep"
  exit 69
}
umask 077
base=$PATH
child=
going=
failed=0
trap '[ -z "$child" ] || kill -KILL "$child"' USR1
trap 'going=yes; [ -z "$child" ] || kill -TERM "$child"' TERM INT
waited() {
  child=$1
  while kill -0 "$child" 2>/dev/null; do
    wait "$child"
    code=$?
  done
  child=
}
while [ -z "$going" ]; do
  { read -r build && read -r runtime; } <${INSIDE.control}/${RUN}
  read -r owner <${INSIDE.control}/${OWNER_FILE}
  echo "$owner" >${INSIDE.state}/${OWNER_FILE}
  read -r token <${INSIDE.control}/${TOKEN}
  echo "$token" >${INSIDE.state}/agentctl/${LINK_TOKEN_FILE}
  mv -f ${INSIDE.link}/${SOCKET} ${INSIDE.link}/${SOCKET}.old 2>/dev/null
  programs=${INSIDE.programs}
  PATH=$base:$programs/$runtime "$programs/$runtime/node" "$programs/$build/agentctl.js" \\
    --home ${INSIDE.state} --socket ${INSIDE.link}/${SOCKET} --build "$build" \\
    --node "$programs/$runtime/node" --own-environment --log-mb ${log.mb} --log-files ${log.files} &
  waited $!
  if [ "$code" = 0 ] || [ -S ${INSIDE.link}/${SOCKET} ]; then
    failed=0
  else
    [ "$failed" -ge 10 ] || failed=$((failed + 1))
    sleep "$failed" &
    waited $!
  fi
done
`;
