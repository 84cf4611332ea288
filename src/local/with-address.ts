import type { Address } from "../client/client.ts";

/** The same request to where the server is now, with the token that it takes. */
export const withAddress = (
  input: string | URL | Request,
  init: RequestInit,
  { url, token }: Address,
): [URL, RequestInit] => {
  const asked = new URL(input instanceof Request ? input.url : input);
  const headers = new Headers(init.headers);
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  return [
    new URL(`${asked.pathname}${asked.search}`, url),
    { ...init, headers },
  ];
};
