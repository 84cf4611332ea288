import type { z } from "zod";
import { RepriseError } from "../contract/problem/reprise-error.ts";
import type { RouteName, routes } from "../contract/api/route.ts";
import { endpoint } from "../contract/api/route-table.ts";
import type { AnswerOf, Reading } from "./reading/reading.ts";
import { refusalOf } from "./refusal.ts";
import { ServerUnreachable, gaveUp, reasonOf } from "./unreachable-server.ts";

/** Where a server is and how to speak to it. */
export interface Address {
  url: string;
  token?: string | undefined;
  /** Another `fetch`, for tests and unusual networks. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** A server, and how what it says is taken. */
export interface Server extends Address {
  reading: Reading;
}

type Routes = typeof routes;
/** The routes that are answered with one document; streams are the feed's, and files go their own way. */
export type CallName = Exclude<
  RouteName,
  | "streamEvents"
  | "streamTaskEvents"
  | "streamHome"
  | "exportSession"
  | "importSession"
  | "showFile"
  | "putFile"
>;

type ParameterOf<Path extends string> =
  Path extends `${string}:${infer Name}/${infer Rest}`
    ? Name | ParameterOf<Rest>
    : Path extends `${string}:${infer Name}`
      ? Name
      : never;

type Params<Path extends string> = [ParameterOf<Path>] extends [never]
  ? { params?: never }
  : { params: Record<ParameterOf<Path>, string> };
type Query<Route> = Route extends { query: infer Q extends z.ZodType }
  ? { query?: Partial<z.output<Q>> }
  : { query?: never };
type Body<Route> = Route extends { body: infer B extends z.ZodType }
  ? { body: z.input<B> }
  : { body?: never };

/** What a route must be given. */
export type Given<N extends CallName> = Params<Routes[N]["path"]> &
  Query<Routes[N]> &
  Body<Routes[N]> & { key?: string | undefined; signal?: AbortSignal };

export interface Keyed {
  /** The idempotency key: a retry with the same one is answered as the first was. */
  key?: string | undefined;
}

export type Answer<N extends CallName> = AnswerOf<N>;

/** Calls one route of the contract. */
export const call = async <N extends CallName>(
  server: Server,
  name: N,
  given: Given<N>,
): Promise<Answer<N>> => {
  const { method, path, status } = endpoint(name);
  const response = await send(server, target(server, path, given), {
    method,
    headers: headersOf(server, given),
    ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
    ...(given.signal === undefined ? {} : { signal: given.signal }),
  });
  if (response.status !== status) throw await refusalOf(server, response);
  const text = await read(server, response, given.signal);
  return parsed(server, name, text);
};

/** `fetch`, with its failures told apart: an abort stays what it is, everything else means that nobody answered. */
export const send = async (
  address: Address,
  url: URL,
  init: RequestInit,
): Promise<Response> => {
  try {
    return await (address.fetch ?? globalThis.fetch)(url, init);
  } catch (error) {
    throw lost(address, error, init.signal);
  }
};

/** The address of a route: parameters put in and escaped, the query behind it. */
export const target = (
  address: Address,
  path: string,
  given: {
    params?: Record<string, string>;
    query?: Record<string, string | number | boolean | undefined>;
  },
): URL => {
  const filled = path.replaceAll(/:([a-z_]+)/g, (_, name: string) =>
    segment(given.params?.[name] ?? ""),
  );
  const url = new URL(filled, address.url);
  for (const [name, value] of Object.entries(given.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
};

/** A name in a path. The URL parser resolves `.` and `..`, escaped or not: such a name would ask for something else. */
const segment = (name: string): string => {
  if (name !== "" && name !== "." && name !== "..")
    return encodeURIComponent(name);
  throw new RepriseError("invalid_id", `"${name}" is not an id.`);
};

export const authorization = (address: Address): Record<string, string> =>
  address.token === undefined
    ? {}
    : { authorization: `Bearer ${address.token}` };

const headersOf = (
  address: Address,
  given: { body?: unknown; key?: string | undefined },
): Record<string, string> => ({
  accept: "application/json",
  ...authorization(address),
  ...(given.body === undefined ? {} : { "content-type": "application/json" }),
  ...(given.key === undefined ? {} : { "idempotency-key": given.key }),
});

export const read = async (
  address: Address,
  response: Response,
  signal: AbortSignal | undefined,
): Promise<string> => {
  try {
    return await response.text();
  } catch (error) {
    throw lost(address, error, signal);
  }
};

const lost = (
  address: Address,
  error: unknown,
  signal: AbortSignal | null | undefined,
): unknown => {
  if (signal?.aborted === true) return signal.reason;
  // A `fetch` of the caller's own may know better.
  if (error instanceof ServerUnreachable || error instanceof RepriseError)
    return error;
  const detail = gaveUp(error)
    ? `The server at ${address.url} took longer to answer than this fetch waits (${reasonOf(error)}). It may still be at work on the request.`
    : `No server answers at ${address.url} (${reasonOf(error)}).`;
  return new ServerUnreachable(address.url, detail, error);
};

/** What an answer says. */
export const parsed = <N extends RouteName>(
  { url, reading }: Server,
  name: N,
  text: string,
): AnswerOf<N> => {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new ServerUnreachable(
      url,
      `Something answers at ${url}, but it is not Reprise.`,
      error,
    );
  }
  return reading.answer(name, document);
};
