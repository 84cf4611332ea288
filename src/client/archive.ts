/** Sessions as files: they may be large, so they are never held whole. */
import type { ImportInput } from "../contract/api/request.ts";
import { endpoint } from "../contract/api/route-table.ts";
import type { Session } from "../contract/session/session.ts";
import {
  type Server,
  authorization,
  parsed,
  read,
  send,
  target,
} from "./call.ts";
import { refusalOf } from "./refusal.ts";

export const exportSession = async (
  server: Server,
  id: string,
): Promise<ReadableStream<Uint8Array>> => {
  const route = endpoint("exportSession");
  const url = target(server, route.path, { params: { id } });
  const response = await send(server, url, {
    method: route.method,
    headers: authorization(server),
  });
  if (response.status !== route.status || response.body === null)
    throw await refusalOf(server, response);
  return response.body;
};

export const importSession = async (
  server: Server,
  file: Blob,
  query: ImportInput,
  key?: string,
): Promise<Session> => {
  const route = endpoint("importSession");
  const response = await send(server, target(server, route.path, { query }), {
    method: route.method,
    headers: {
      accept: "application/json",
      "content-type": "application/octet-stream",
      ...authorization(server),
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: file,
  });
  if (response.status !== route.status) throw await refusalOf(server, response);
  const text = await read(server, response, undefined);
  return parsed(server, "importSession", text);
};
