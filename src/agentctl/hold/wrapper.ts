/**
 * The program between us and the agent: `sh -c WRAPPER reprise DIRECTORY COMMAND ARG…`. It is constant; everything
 * comes as a positional parameter. It lives exactly as long as the agent, holds the `alive` FIFO (descriptor 3, which
 * the agent does not get) and leaves the exit status in a file, for whoever looks: a child that was started by an
 * agentctl that is gone has no other way to say how it ended. Signals meant for the agent's group are caught, not
 * ignored: what is ignored would be ignored by the agent too.
 */
export const WRAPPER = `
directory=$1
trap : HUP INT QUIT TERM USR1 USR2
/bin/sh -c 'echo $$ >"$1/pid"; shift; exec "$@"' reprise "$@" 3>&-
status=$?
umask 077
echo $status >"$directory/exit.new"
/bin/mv -f "$directory/exit.new" "$directory/exit"
`;
