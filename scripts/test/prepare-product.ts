/** Builds what tests start, once for all of them. */
import { existsSync } from "node:fs";
import { join } from "node:path";

/** The environment that tells tests where it is; empty when there is nothing to build. */
export const prepareProduct = async (
  root: string,
): Promise<Record<string, string>> => {
  if (!existsSync(join(root, "src/bin.ts"))) return {};
  const { productOf } = await import("../build/product.ts");
  return { TEST_PRODUCT: await productOf(root) };
};
