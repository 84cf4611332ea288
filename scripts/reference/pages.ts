/** The pages of the reference, by their paths. */
import { format } from "prettier";
import { clientPage } from "./client-page.ts";
import { restPage } from "./rest-page.ts";

export const referencePages = async (
  root: string,
): Promise<Map<string, string>> => {
  const pages = new Map([
    ["docs/reference/rest.md", restPage()],
    ["docs/reference/client.md", await clientPage(root)],
  ]);
  for (const [path, text] of pages)
    pages.set(path, await format(text, { parser: "markdown" }));
  return pages;
};
