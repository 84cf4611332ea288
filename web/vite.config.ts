import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compress } from "./build/compress.ts";
import { firstScript } from "./build/first-script.ts";
import { lexerOnly } from "./build/lexer-only.ts";
import { listPackages } from "./build/list-packages.ts";
import { shortNames } from "./build/short-names.ts";
import { unusedSchemas } from "./build/unused-schemas.ts";
import { withoutEval } from "./build/without-eval.ts";
import { withoutJsonSchema } from "./build/without-json-schema.ts";
import { xtermAttributes } from "./build/xterm-attributes.ts";

const root = join(import.meta.dirname, "..");
const packages = listPackages();

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    withoutEval(),
    xtermAttributes(),
    withoutJsonSchema(),
    lexerOnly(),
    unusedSchemas(),
    packages.ofPage,
    compress(),
  ],
  css: {
    modules: {
      localsConvention: "camelCaseOnly",
      generateScopedName: shortNames(import.meta.dirname),
    },
  },
  resolve: {
    conditions: ["reprise-source", "browser", "module", "import"],
    // What it stands in for, React has had since 18.
    alias: { "use-sync-external-store/shim/index.js": "react" },
  },
  worker: {
    format: "es",
    plugins: () => [withoutEval(), packages.ofWorkers()],
  },
  // The server puts one in its place, another in each answer.
  html: { cspNonce: "__NONCE__" },
  build: {
    outDir: join(root, "dist/page"),
    emptyOutDir: true,
    // Styles and scripts in the document itself are refused by the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: firstScript() } },
    target: "es2023",
    // The first that know `light-dark()`.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
  },
});
