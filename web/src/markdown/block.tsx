import { memo, type ReactNode } from "react";
import type { MarkedToken, Tokens } from "marked";
import { CodeBlock } from "../code/code-block.tsx";
import { isFenceOpen } from "./blocks.ts";
import { withoutEntities } from "./entities.ts";
import { isKnown } from "./known-token.ts";
import { Inline } from "./inline.tsx";
import style from "./markdown.module.css";

/** One block. It is drawn once as long as its token is the same object. */
export const Block = memo(({ block }: { block: MarkedToken }): ReactNode => {
  switch (block.type) {
    case "paragraph":
      return (
        <p>
          <Inline tokens={block.tokens} />
        </p>
      );
    case "heading":
      return <Heading block={block} />;
    case "code":
      return (
        <CodeBlock
          text={block.text}
          language={block.lang ?? ""}
          isOpen={isFenceOpen(block)}
        />
      );
    case "blockquote":
      return (
        <blockquote>
          <InnerBlocks blocks={block.tokens.filter(isKnown)} />
        </blockquote>
      );
    case "list":
      return <List block={block} />;
    case "table":
      return <Table block={block} />;
    case "hr":
      return <hr />;
    case "text":
      return block.tokens === undefined ? (
        withoutEntities(block.text)
      ) : (
        <Inline tokens={block.tokens} />
      );
    case "checkbox":
      return <Inline tokens={[block]} />;
    case "space":
      return null;
    default:
      // HTML, definitions of links, and whatever a later release of the parser finds.
      return <p className={style.source}>{block.raw.trimEnd()}</p>;
  }
});

const InnerBlocks = ({ blocks }: { blocks: readonly MarkedToken[] }) =>
  blocks.map((block, at) => <Block key={at} block={block} />);

/** The page has headings of its own: those of a text are levels below. */
const Heading = ({ block }: { block: Tokens.Heading }) => {
  const Level = block.depth <= 1 ? "h3" : block.depth === 2 ? "h4" : "h5";
  return (
    <Level>
      <Inline tokens={block.tokens} />
    </Level>
  );
};

const List = ({ block }: { block: Tokens.List }) => {
  const items = block.items.map((item, at) => (
    <li key={at} className={item.task ? style.task : undefined}>
      <InnerBlocks blocks={item.tokens.filter(isKnown)} />
    </li>
  ));
  return block.ordered ? (
    <ol start={block.start === "" ? 1 : block.start}>{items}</ol>
  ) : (
    <ul>{items}</ul>
  );
};

const Table = ({ block }: { block: Tokens.Table }) => (
  <div className={style.scroll} tabIndex={0} role="region" aria-label="Table">
    <table>
      <thead>
        <tr>
          {block.header.map(({ tokens, align }, at) => (
            <th key={at} data-align={align}>
              <Inline tokens={tokens} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {block.rows.map((row, at) => (
          <tr key={at}>
            {row.map(({ tokens, align }, at) => (
              <td key={at} data-align={align}>
                <Inline tokens={tokens} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
