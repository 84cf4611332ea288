import { request, type IncomingMessage, type RequestOptions } from "node:http";
import { RepriseError } from "../../../contract/problem/problem.ts";
import { hasErrno } from "../../../kit/errno.ts";
import { parseAddress, type EngineAddress } from "./address.ts";

export interface EngineRequest {
  method: "GET" | "POST" | "DELETE";
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: object;
  /** Null: as long as it takes. */
  deadlineMs?: number | null;
  signal?: AbortSignal;
}

export interface EngineAnswer {
  status: number;
  body: Buffer;
}

export type AskEngine = (request: EngineRequest) => Promise<EngineAnswer>;

/** A quick answer of an engine takes milliseconds; making a container on a busy disk takes seconds. */
const DEADLINE_MS = 60_000;
const MAX_ANSWER = 16 * 1024 * 1024;

/**
 * Asks an engine. Paths have no version: engines of 20.10 speak at most 1.41, those of 29 at least 1.44, and without one
 * each speaks its own; what we ask for is the same in all of them. Rejects with `docker_unavailable` where no answer comes.
 */
export const askEngineAt =
  (address: string): AskEngine =>
  async (asked) => {
    const at = parseAddress(address);
    if (at !== null) return ask(address, at, asked);
    throw new RepriseError(
      "docker_unavailable",
      `"${address}" is no address of an engine: use unix:///PATH, as in unix:///var/run/docker.sock, or tcp://HOST:PORT`,
    );
  };

const ask = (
  address: string,
  at: EngineAddress,
  {
    method,
    path,
    query = {},
    body,
    deadlineMs = DEADLINE_MS,
    signal,
  }: EngineRequest,
): Promise<EngineAnswer> =>
  new Promise((resolve, reject) => {
    const text = body === undefined ? null : Buffer.from(JSON.stringify(body));
    const search = new URLSearchParams(query).toString();
    const options: RequestOptions = {
      ...(at.kind === "socket"
        ? { socketPath: at.path, host: "docker" }
        : { host: at.host, port: at.port }),
      method,
      path: search === "" ? path : `${path}?${search}`,
      // Calls are rare: a connection that is kept would only be found dead.
      agent: false,
      headers:
        text === null
          ? {}
          : {
              "content-type": "application/json",
              "content-length": text.length,
            },
      ...(signal && { signal }),
    };
    const asking = request(options);
    const late =
      deadlineMs === null
        ? null
        : setTimeout(() => asking.destroy(tooLate(address, path)), deadlineMs);
    const fail = (error: Error): void => {
      clearTimeout(late ?? undefined);
      reject(signal?.aborted ? error : unreachable(address, at, error));
    };
    asking.once("error", fail);
    asking.once("response", (response) => {
      read(response, address).then((answer) => {
        clearTimeout(late ?? undefined);
        resolve(answer);
      }, fail);
    });
    asking.end(text);
  });

const read = async (
  response: IncomingMessage,
  address: string,
): Promise<EngineAnswer> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response) {
    if (!Buffer.isBuffer(part)) continue;
    size += part.length;
    if (size > MAX_ANSWER)
      throw new RepriseError(
        "docker_unavailable",
        `The engine at ${address} answered with more than ${MAX_ANSWER} bytes`,
      );
    parts.push(part);
  }
  return { status: response.statusCode ?? 0, body: Buffer.concat(parts) };
};

const tooLate = (address: string, path: string): RepriseError =>
  new RepriseError(
    "docker_unavailable",
    `The engine at ${address} did not answer ${path} in time`,
  );

const unreachable = (
  address: string,
  at: EngineAddress,
  error: Error,
): RepriseError => {
  if (error instanceof RepriseError) return error;
  const because = (words: string) =>
    new RepriseError("docker_unavailable", words, { cause: error });
  if (hasErrno(error, "EACCES", "EPERM"))
    return because(
      `This user may not use the engine at ${address}: add the user to the group that owns the socket (usually docker), or run an engine as this user`,
    );
  if (hasErrno(error, "ENOENT") && at.kind === "socket")
    return because(
      `There is no engine at ${address}: start it, or name its address in config.json`,
    );
  return because(
    `The engine at ${address} cannot be reached (${error.message}): start it, or name its address in config.json`,
  );
};
