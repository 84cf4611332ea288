import { createHash } from "node:crypto";
import { relative } from "node:path";

/** Names of classes in as few letters as tell them apart: they stand in scripts and in styles. The same in every build. */
export const shortNames = (
  root: string,
): ((name: string, file: string) => string) => {
  const owners = new Map<string, string>();
  return (name, file) => {
    const owner = `${relative(root, file)} ${name}`;
    const hash = createHash("sha256").update(owner).digest("base64url");
    // A class does not begin with a digit or a dash.
    const short = hash.slice(0, 4).replace(/^[^a-zA-Z]/, "a");
    const other = owners.get(short) ?? owner;
    if (other !== owner)
      throw new Error(`"${owner}" and "${other}" have one short name.`);
    owners.set(short, owner);
    return short;
  };
};
