/** Runs in a sandbox whose network is a list: what comes to a port of its loopback goes to the proxy outside, by a socket that it sees. */
import { connect, createServer } from "node:net";

const [port, socketPath = ""] = process.argv.slice(2);

const server = createServer({ allowHalfOpen: true }, (near) => {
  const far = connect({ path: socketPath, allowHalfOpen: true });
  near.pipe(far);
  far.pipe(near);
  near.on("error", () => far.destroy());
  far.on("error", () => near.destroy());
});
// Whatever asks the agent to end lets it say its last words over the network.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  process.on(signal, () => undefined);
server.listen(Number(port), "127.0.0.1", () => process.stdout.write("ready\n"));
