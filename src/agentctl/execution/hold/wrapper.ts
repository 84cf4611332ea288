/**
 * The program between us and the agent: `sh -c WRAPPER reprise DIRECTORY COMMAND ARG…`. It is constant; everything
 * comes as a positional parameter. It lives exactly as long as the agent, holds the `alive` FIFO (descriptor 3, which
 * the agent does not get) and leaves the exit status in a file, for whoever looks: a child that was started by an
 * agentctl that is gone has no other way to say how it ended. Signals meant for the agent's group are caught, not
 * ignored: what is ignored would be ignored by the agent too. Variables named in REPRISE_HIDE are for us alone: whoever
 * takes over reads them off this process, and the agent does not get them.
 */
export const WRAPPER = `
directory=$1
for name in $REPRISE_HIDE; do unset "$name"; done
unset REPRISE_HIDE
trap : HUP INT QUIT TERM USR1 USR2
/bin/sh -c 'echo $$ >"$1/pid"; shift; exec "$@"' reprise "$@" 3>&-
status=$?
umask 077
echo $status >"$directory/exit.new"
/bin/mv -f "$directory/exit.new" "$directory/exit"
`;
