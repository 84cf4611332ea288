/** Where an engine listens. */
export type EngineAddress =
  | { kind: "socket"; path: string }
  | { kind: "tcp"; host: string; port: number };

/** `unix:///var/run/docker.sock` or `tcp://127.0.0.1:2375`; null for anything else. */
export const parseAddress = (text: string): EngineAddress | null => {
  if (text.startsWith("unix:///"))
    return { kind: "socket", path: text.slice("unix://".length) };
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url?.protocol === "tcp:" || url?.protocol === "http:";
  if (url === null || !isPlain || url.hostname === "") return null;
  if (url.pathname !== "/" && url.pathname !== "") return null;
  return {
    kind: "tcp",
    // An IPv6 address is in brackets in an address, and not in a name.
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(url.port || (url.protocol === "http:" ? 80 : 2375)),
  };
};
