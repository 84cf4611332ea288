/** Which hosts a list of names lets through. Pure. */
import { BlockList, isIP } from "node:net";

export interface Destination {
  /** In lower case; an address of IPv6 without its brackets. */
  host: string;
  port: number;
}

/** `explicit`: named as an address or as this machine, so that it may also be one that is not public. */
export type Verdict = "refused" | "public" | "explicit";

export const verdictOn = (
  hosts: readonly string[],
  destination: Destination,
): Verdict => {
  const matching = hosts.map(parsed).filter((each) => fits(each, destination));
  if (matching.length === 0) return "refused";
  const { host } = destination;
  return isIP(host) !== 0 || host === "localhost" ? "explicit" : "public";
};

/** Whether something of that host is let through, at whatever port. */
export const isNamed = (hosts: readonly string[], host: string): boolean =>
  hosts.some((each) => parsed(each).name === host);

interface Named {
  name: string;
  /** Null: those of HTTP and HTTPS. */
  port: number | null;
}

const parsed = (text: string): Named => {
  const [, bracketed, plain = "", port] =
    /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? [];
  return {
    name: bracketed ?? plain,
    port: port === undefined ? null : Number(port),
  };
};

const fits = ({ name, port }: Named, destination: Destination): boolean => {
  const isPort =
    port === null
      ? destination.port === 80 || destination.port === 443
      : destination.port === port;
  if (!isPort) return false;
  return name.startsWith("*.")
    ? isIP(destination.host) === 0 && destination.host.endsWith(name.slice(1))
    : destination.host === name;
};

/** `HOST:PORT`, as `CONNECT` names it; null where it is nothing of the kind. */
export const destinationOf = (authority: string): Destination | null => {
  const [, bracketed, plain, port] =
    /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(authority) ?? [];
  const host = (bracketed ?? plain ?? "").toLowerCase().replace(/\.$/, "");
  return host === "" || Number(port) > 65_535
    ? null
    : { host, port: Number(port) };
};

const notPublic = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  notPublic.addSubnet(network, bits, "ipv4");
/** All that is public lies in 2000::/3. Of that, ways into networks of IPv4 are left out. */
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");
notPublic.addSubnet("2001::", 32, "ipv6");
notPublic.addSubnet("2002::", 16, "ipv6");

/** Whether an address is one of the internet, and not of a network of this machine. */
export const isPublic = (address: string): boolean =>
  isIP(address) === 4
    ? !notPublic.check(address, "ipv4")
    : isIP(address) === 6 &&
      global6.check(address, "ipv6") &&
      !notPublic.check(address, "ipv6");
