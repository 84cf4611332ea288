/** Sessions as files: they may be large, so they are never held whole. */
import { routes } from "../contract/api/route.ts";
import type { Session } from "../contract/session/session.ts";
import {
  type Address,
  authorization,
  parsed,
  read,
  send,
  target,
} from "./call.ts";
import { refusalOf } from "./refusal.ts";

export const exportSession = async (
  address: Address,
  id: string,
): Promise<ReadableStream<Uint8Array>> => {
  const route = routes.exportSession;
  const url = target(address, route.path, { params: { id } });
  const response = await send(address, url, {
    method: route.method,
    headers: authorization(address),
  });
  if (response.status !== route.status || response.body === null)
    throw await refusalOf(address.url, response);
  return response.body;
};

export const importSession = async (
  address: Address,
  file: Blob,
  query: { cwd?: string },
  key?: string,
): Promise<Session> => {
  const route = routes.importSession;
  const response = await send(address, target(address, route.path, { query }), {
    method: route.method,
    headers: {
      accept: "application/json",
      "content-type": "application/octet-stream",
      ...authorization(address),
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: file,
  });
  if (response.status !== route.status)
    throw await refusalOf(address.url, response);
  const text = await read(address, response, undefined);
  return parsed(address, route.answer, text, "importSession");
};
