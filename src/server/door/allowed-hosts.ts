import { hostname, networkInterfaces } from "node:os";

/**
 * The `Host` values under which this server may be addressed. A page on the web can make a browser send requests here,
 * even under its own name (DNS rebinding), but it cannot make the browser lie about the name it used.
 */
export const allowedHosts = (
  host: string,
  port: number,
): ReadonlySet<string> => {
  const names = new Set(["127.0.0.1", "localhost", "[::1]"]);
  for (const name of isWildcard(host) ? namesOfThisMachine() : [host])
    names.add(bracketed(name.toLowerCase()));
  const authorities = [...names].map((name) => `${name}:${port}`);
  // Clients leave the default port out.
  return new Set(port === 80 ? [...authorities, ...names] : authorities);
};

/** Where clients of this machine reach the server: "all addresses" is none that one could ask for. */
export const urlOf = (host: string, port: number): string =>
  `http://${isWildcard(host) ? "127.0.0.1" : bracketed(host)}:${port}`;

const isWildcard = (host: string): boolean =>
  host === "0.0.0.0" || host === "::";

const namesOfThisMachine = (): string[] => [
  hostname(),
  ...Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).map(({ address }) => address),
  ),
];

/** An IPv6 address as it stands in a URL. */
const bracketed = (host: string): string =>
  host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
