import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const root = join(import.meta.dirname, "..");

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  css: { modules: { localsConvention: "camelCaseOnly" } },
  resolve: { conditions: ["reprise-source", "browser", "module", "import"] },
  worker: { format: "es" },
  build: {
    outDir: join(root, "dist/page"),
    emptyOutDir: true,
    // Styles and scripts in the document itself are refused by the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    // The first that know `light-dark()`.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
  },
});
