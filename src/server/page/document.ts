import type { FirstView } from "../../contract/api/first-view.ts";

/** Stands in the built document wherever the nonce has to be. */
export const NONCE_SLOT = "__NONCE__";
const SLOTS =
  /<html lang="en"|__NONCE__|(?<=<script type="application\/json" id="first-view"[^>]*>)\s*null\s*(?=<\/script>)/g;

export type Theme = "light" | "dark";

/** The built document with what belongs to one answer. Nothing that is put in is looked through again. */
export const composeDocument = (
  template: string,
  {
    nonce,
    theme,
    view,
  }: { nonce: string; theme: Theme | null; view: FirstView },
): string =>
  template.replaceAll(SLOTS, (slot) => {
    if (slot === NONCE_SLOT) return nonce;
    if (slot.trim() === "null") return jsonInHtml(view);
    return theme === null ? slot : `${slot} data-theme="${theme}"`;
  });

/** JSON that can end neither the element nor, in old parsers, the line that it stands in. */
const jsonInHtml = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");

/** The page loads and asks nobody but this server; only styles may be made while it runs, by who knows the nonce. */
export const policyFor = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

export const themeOf = (word: string | undefined): Theme | null =>
  word === "light" || word === "dark" ? word : null;
