import { PAGE_SESSION_PATH } from "../../contract/api/page-session.ts";
import { routes } from "../../contract/api/route.ts";

const openPaths: ReadonlySet<string> = new Set([
  "/openapi.json",
  "/favicon.svg",
  PAGE_SESSION_PATH,
  routes.health.path,
]);

/** What is answered without a token. None of it holds data of the home. */
export const isOpen = (path: string): boolean =>
  openPaths.has(path) || isPageAddress(path) || path.startsWith("/assets/");

/** The addresses of the page, all of which are one document. They are those of `web/src/routes.ts`. */
export const pageAddresses = [
  "/",
  "/new",
  "/agents",
  "/settings",
  "/trash",
  "/tasks",
  "/tasks/:id",
  "/races/:name",
  "/s/:id",
  "/s/:id/changes",
  "/s/:id/rewind/:turn",
  "/s/:id/workspace",
  "/s/:id/workspace/*",
] as const;

const isPageAddress = (path: string): boolean =>
  pagePatterns.some((pattern) => pattern.test(path));

const pagePatterns = pageAddresses.map(
  (address) =>
    new RegExp(`^${address.replaceAll(/:\w+/g, "[^/]+").replace("*", ".*")}$`),
);

/** The session that an address of the page is about. */
export const sessionInAddress = (path: string): string | undefined =>
  /^\/s\/([^/]+)/.exec(path)?.[1];
