import type { Plugin } from "vite";

const ATTRIBUTE =
  /(\w+)\.setAttribute\("style",`\$\{\1\.getAttribute\("style"\)\|\|""\}\$\{(\w+)\};`\)/;

/**
 * The page's policy refuses attributes `style`, and browsers report them. xterm.js writes colours that programs name by their parts
 * into such attributes; here it sets properties. A release that does it in another way fails the build.
 */
export const xtermAttributes = (): Plugin => ({
  name: "xterm-attributes",
  transform: {
    filter: { id: /\/node_modules\/@xterm\/xterm\/lib\/xterm\.mjs/ },
    handler(code) {
      if (!ATTRIBUTE.test(code))
        this.error(
          "xterm.js does not write styles where this build expects it",
        );
      return {
        code: code.replace(ATTRIBUTE, '$1.style.cssText+=$2+";"'),
        map: null,
      };
    },
  },
});
