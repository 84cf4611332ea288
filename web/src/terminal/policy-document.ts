/**
 * xterm.js makes elements that the page's policy refuses: `<style>` without the nonce, and attributes `style` for colours that
 * programs name by their parts. Through this document the styles have the nonce, and those attributes become properties.
 */
export const policyDocument = (page: Document, nonce: string): Document => {
  const createElement = (name: string): HTMLElement =>
    prepared(page.createElement(name), nonce);
  return new Proxy(page, {
    get: (target, name) => {
      if (name === "createElement") return createElement;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
};

/**
 * Its viewport uses the document of the window, whatever it was told. So the window's makes prepared elements while `make`
 * runs, which is synchronous.
 */
export const withPreparedStyles = (
  page: Document,
  nonce: string,
  make: () => void,
): void => {
  const create = page.createElement.bind(page);
  Object.defineProperty(page, "createElement", {
    configurable: true,
    value: (name: string, options?: ElementCreationOptions) =>
      prepared(create(name, options), nonce),
  });
  try {
    make();
  } finally {
    // The one of its prototype is there again.
    Reflect.deleteProperty(page, "createElement");
  }
};

/** The nonce of this document: browsers hide it from selectors, not from scripts. */
export const nonceOf = (page: Document): string =>
  [...page.querySelectorAll<HTMLElement>("script, link, style")].find(
    ({ nonce }) => nonce !== undefined && nonce !== "",
  )?.nonce ?? "";

const prepared = (element: HTMLElement, nonce: string): HTMLElement => {
  if (element instanceof HTMLStyleElement) element.nonce = nonce;
  if (element instanceof HTMLSpanElement) element.setAttribute = setAttribute;
  return element;
};

function setAttribute(this: HTMLElement, name: string, value: string): void {
  if (name === "style") this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
}
