/**
 * xterm.js writes its colours into `<style>` elements, which the page's policy refuses without the nonce. It makes them while it
 * opens, which is synchronous: until then elements for styles have the nonce. (What it writes into attributes is mended in
 * `web/build/xterm-attributes.ts`.)
 */
export const withPreparedStyles = (page: Document, open: () => void): void => {
  const nonce = nonceOf(page);
  const create = page.createElement.bind(page);
  Object.defineProperty(page, "createElement", {
    configurable: true,
    value: (name: string, options?: ElementCreationOptions) => {
      const element = create(name, options);
      if (element instanceof HTMLStyleElement) element.nonce = nonce;
      return element;
    },
  });
  try {
    open();
  } finally {
    // The one of its prototype is there again.
    Reflect.deleteProperty(page, "createElement");
  }
};

/** The nonce of this document: browsers hide it from selectors, not from scripts. */
const nonceOf = (page: Document): string =>
  [...page.querySelectorAll<HTMLElement>("script, link, style")].find(
    ({ nonce }) => nonce !== undefined && nonce !== "",
  )?.nonce ?? "";
