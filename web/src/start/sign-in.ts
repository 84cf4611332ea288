import { PAGE_SESSION_PATH } from "../../../src/contract/api/page-session.ts";
import { isRecord } from "../../../src/kit/data/is-record.ts";

export type SignIn = "signed_in" | "wrong_token" | "unreachable";

/** Gives the token of a link to the server, which answers with a cookie. */
export const signIn = async (token: string): Promise<SignIn> => {
  try {
    const answer = await fetch(PAGE_SESSION_PATH, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
    });
    return answer.ok ? "signed_in" : "wrong_token";
  } catch {
    return "unreachable";
  }
};

/**
 * Whether this browser has the cookie although the document came without data: browsers do not send it where somebody
 * followed a link of another site.
 */
export const hasCookie = async (): Promise<boolean> => {
  try {
    const answer = await fetch(PAGE_SESSION_PATH);
    const said: unknown = await answer.json();
    return isRecord(said) && said["is_signed_in"] === true;
  } catch {
    return false;
  }
};

export const signOut = async (): Promise<void> => {
  await fetch(PAGE_SESSION_PATH, { method: "DELETE" });
};
