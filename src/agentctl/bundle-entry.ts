import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { LINK_TOKEN_FILE } from "../contract/link/link.ts";
import {
  type HostAndPort,
  isLoopback,
  parseAddress,
} from "../contract/link/network-address.ts";
import { RepriseError } from "../contract/problem/reprise-error.ts";
import { readPrivate } from "../kit/files/private-file.ts";
import { UnusableFile } from "../kit/files/unusable-file.ts";
import { addressJson, addressWords } from "./announce-address.ts";
import { directoryOf, loadOrMakeToken } from "./daemon/daemon.ts";
import { runAgentctl } from "./main.ts";

/**
 * `node agentctl.js --home DIR --socket PATH [--build NAME] [--log-mb N] [--log-files N]`: the daemon as a program of its own.
 * `--listen HOST:PORT [--token-file FILE] [--plain] [--json]`: for servers on other machines, too.
 * `--node PATH --own-environment`: in a container.
 */

const ALREADY_RUNNING = 3;
const MEBIBYTE = 1024 * 1024;

const { values } = parseArgs({
  options: {
    home: { type: "string" },
    socket: { type: "string" },
    build: { type: "string", default: "source" },
    node: { type: "string" },
    "own-environment": { type: "boolean", default: false },
    "log-mb": { type: "string", default: "10" },
    "log-files": { type: "string", default: "5" },
    listen: { type: "string" },
    "token-file": { type: "string" },
    plain: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const { home, socket, build, listen, plain } = values;
if (home === undefined || socket === undefined) {
  process.stderr.write("usage: agentctl --home DIR --socket PATH\n");
  process.exit(2);
}
const address = listen === undefined ? null : parseAddress(listen);
if (listen !== undefined && address === null) {
  process.stderr.write(`"${listen}" is no address: HOST:PORT\n`);
  process.exit(2);
}
if (plain && address !== null && !isLoopback(address.host)) {
  process.stderr.write(
    `Without TLS everybody on the way can read the token. Leave out --plain, or listen on 127.0.0.1.\n`,
  );
  process.exit(2);
}

const terminated = new Promise<void>((resolve) => {
  process.once("SIGTERM", () => resolve());
  // In the foreground Ctrl-C means us. A daemon outlives the terminal and the server that it was started from.
  process.on("SIGINT", () => {
    if (address !== null) resolve();
  });
});
process.on("SIGHUP", () => undefined);

/** What servers on other machines have to show. */
const networkToken = async (
  path: string | undefined,
  own: string,
): Promise<string> => {
  if (path === undefined) return own;
  const token = (await readPrivate(path))?.trim();
  if (token === undefined)
    throw new UnusableFile(
      "no_secret",
      `There is no file ${path}. Name one that holds a token, or leave out --token-file: then a token is made.`,
    );
  if (/^[\x21-\x7e]{32,1024}$/.test(token)) return token;
  throw new UnusableFile(
    "no_secret",
    `${path} does not hold a token: one line of at least 32 letters, digits and signs, without spaces.`,
  );
};

const networkOf = async (at: HostAndPort, ownToken: string) => ({
  ...at,
  token: await networkToken(values["token-file"], ownToken),
  isPlain: plain,
  env: process.env,
});

try {
  const token = await loadOrMakeToken(home);
  const running = await runAgentctl({
    home,
    socketPath: socket,
    token,
    build,
    node: values.node,
    ...(values["own-environment"] && { env: process.env }),
    network: address === null ? null : await networkOf(address, token),
    logLimits: {
      maxBytes: Number(values["log-mb"]) * MEBIBYTE,
      files: Number(values["log-files"]),
    },
  });
  void Promise.race([terminated, running.over])
    .then(() => running.close())
    .finally(() => process.exit(0));
  if (running.address === null)
    process.stdout.write(`${JSON.stringify({ ready: true, socket })}\n`);
  else {
    const tell = values.json ? addressJson : addressWords;
    const reachable = {
      bound: running.address,
      fingerprint: running.fingerprint,
      tokenFile: resolve(
        values["token-file"] ?? join(directoryOf(home), LINK_TOKEN_FILE),
      ),
      home,
      hostname: hostname(),
    };
    process.stdout.write(tell(reachable));
  }
} catch (error) {
  const isExplained =
    error instanceof RepriseError || error instanceof UnusableFile;
  if (!isExplained) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(error.code === "home_held" ? ALREADY_RUNNING : 1);
}
