/** `HOST:PORT`, as an agentctl on another host is named. */
import * as z from "zod";

export interface HostAndPort {
  /** A name, an IPv4 address, or an IPv6 address without its brackets. */
  host: string;
  port: number;
}

const FORM = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:/@[\]]+)):(\d{1,5})$/;

/** Null where the text is no such address. */
export const parseAddress = (text: string): HostAndPort | null => {
  const [, inBrackets, name, digits] = FORM.exec(text) ?? [];
  const host = inBrackets ?? name;
  const port = Number(digits);
  return host === undefined || port > 65_535 ? null : { host, port };
};

export const addressText = ({ host, port }: HostAndPort): string =>
  host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;

/** What stays on this machine. A name may lead anywhere, so that `localhost` is the only one. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" ||
  host === "::1" ||
  /^127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/.test(host);

/** One that can be dialled: port 0 is for who listens. */
export const NetworkAddress = z
  .string()
  .max(300)
  .refine((text) => {
    const address = parseAddress(text);
    return address !== null && address.port > 0;
  }, "must be HOST:PORT, with an IPv6 address in brackets");

/** Of a certificate: SHA-256 of its DER. */
export const Fingerprint = z
  .string()
  .regex(
    /^sha256:[0-9a-f]{64}$/,
    "must be sha256: and 64 hex digits in lower case",
  );
