/** Signing in: the page gives the token once and gets a cookie for it. */
import * as z from "zod";

export const PAGE_SESSION_PATH = "/api/page/session";

export const SignInRequest = z.strictObject({ token: z.string().max(256) });
export type SignInRequest = z.infer<typeof SignInRequest>;

export const PageSession = z.object({ is_signed_in: z.boolean() });
export type PageSession = z.infer<typeof PageSession>;

/** Makes a code for whoever has the token: it signs in once, in the token's place, within a minute. */
export const PAGE_CODE_PATH = "/api/page/code";

export const PageCode = z.object({ code: z.string() });
export type PageCode = z.infer<typeof PageCode>;
