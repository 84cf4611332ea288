import type { RawData } from "ws";
import * as z from "zod";
import { RepriseError } from "../../contract/problem/problem.ts";
import { SocketRequest } from "../../contract/api/socket.ts";
import { parseJson, refuseDeep } from "../ask/body.ts";
import { parse } from "../ask/parse.ts";
import { refuseUnsendable } from "../ask/unsendable.ts";

/** What a client sent, or why it cannot be taken, with the request's id as far as it could be made out. */
export type Frame =
  | { kind: "request"; request: SocketRequest }
  | { kind: "refused"; id: string | number | null; error: unknown };

export const readFrame = (data: RawData, isBinary: boolean): Frame => {
  let id: string | number | null = null;
  try {
    const bytes = bytesOf(data, isBinary);
    const value = parseJson(bytes.toString());
    id = Identified.safeParse(value).data?.id ?? null;
    refuseDeep(bytes);
    refuseUnsendable(value);
    return {
      kind: "request",
      request: parse(SocketRequest, value, "The request"),
    };
  } catch (error) {
    return { kind: "refused", id, error };
  }
};

const Identified = SocketRequest.pick({ id: true });

/** `ws` has checked that text frames are UTF-8. */
const bytesOf = (data: RawData, isBinary: boolean): Buffer => {
  if (isBinary)
    throw new RepriseError(
      "unsupported_media_type",
      "Send requests as text frames that hold JSON.",
    );
  return Array.isArray(data)
    ? Buffer.concat(data)
    : z.instanceof(Buffer).parse(data);
};
