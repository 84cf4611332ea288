import type { IncomingMessage } from "node:http";

/** Reads a request header by its lower-case name: the same for a `Request` and for an upgrade. */
export type ReadHeader = (name: string) => string | undefined;

export const headerOf =
  (request: IncomingMessage): ReadHeader =>
  (name) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  };
