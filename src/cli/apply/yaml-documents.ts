/** A YAML file as plain values that know their lines. The package is loaded here and nowhere else, when a file is read. */

export type Path = readonly PropertyKey[];

export interface YamlDocument {
  /** Counted from 1, empty ones too. */
  number: number;
  value: unknown;
  /** What is wrong with the YAML itself. */
  faults: readonly { line: number; message: string }[];
  /** The line of the key at this path, or of the nearest thing round it. */
  lineOf: (path: Path) => number;
}

/** All documents that hold something. */
export const yamlDocuments = async (text: string): Promise<YamlDocument[]> => {
  const { LineCounter, isMap, isNode, isScalar, parseAllDocuments } =
    await import("yaml");
  const lines = new LineCounter();
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    prettyErrors: false,
  });
  return documents.flatMap((document, index) => {
    const { contents, errors, warnings } = document;
    const faults = [...errors, ...warnings].map(({ message, pos }) => ({
      line: lineAt(pos[0]),
      message,
    }));
    const isEmpty = contents === null || isEmptyScalar(contents);
    if (isEmpty && faults.length === 0) return [];
    const lineOf = (path: Path): number => {
      const key = path.at(-1);
      const parent =
        path.length < 2 ? contents : document.getIn(path.slice(0, -1), true);
      const pair = isMap(parent)
        ? parent.items.find(
            (each) => isScalar(each.key) && each.key.value === key,
          )
        : undefined;
      const node =
        path.length === 0
          ? contents
          : (pair?.key ?? document.getIn(path, true));
      if (isNode(node) && node.range) return lineAt(node.range[0]);
      return path.length === 0 ? 1 : lineOf(path.slice(0, -1));
    };
    let value: unknown = null;
    try {
      if (faults.length === 0)
        value = JSON.parse(JSON.stringify(document.toJS()));
    } catch (error) {
      // Too many aliases, or one of something that holds it.
      const message = error instanceof Error ? error.message : String(error);
      faults.push({ line: lineOf([]), message });
    }
    return [{ number: index + 1, value, faults, lineOf }];
  });

  function isEmptyScalar(node: unknown): boolean {
    return isScalar(node) && node.value === null && node.source === "";
  }
};
