/** Links to the page of a server. What is behind `#` lets in whoever opens it; browsers do not send it. */
import { type Address, authorization, send } from "../client/call.ts";
import { checking } from "../client/checking.ts";
import { refusalOf } from "../client/refusal.ts";
import { PAGE_CODE_PATH, PageCode } from "../contract/api/page-session.ts";

/** For the eyes of a person. It lets in for as long as the token is the server's. */
export const linkWithToken = ({ url, token = "" }: Address, path = "/") =>
  linkTo(url, path, token);

/** For everything else: it lets in once, within a minute. */
export const linkWithCode = async (
  address: Address,
  path = "/",
): Promise<string> => {
  const response = await send(address, new URL(PAGE_CODE_PATH, address.url), {
    method: "POST",
    headers: authorization(address),
  });
  if (response.status !== 200)
    throw await refusalOf({ url: address.url, reading: checking }, response);
  const { code } = PageCode.parse(await response.json());
  return linkTo(address.url, path, code);
};

const linkTo = (url: string, path: string, secret: string): string => {
  const link = new URL(path, url);
  link.hash = `token=${secret}`;
  return link.href;
};
