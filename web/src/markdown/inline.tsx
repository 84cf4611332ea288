import { Fragment, type ReactNode } from "react";
import type { MarkedToken, Token } from "marked";
import { withoutEntities } from "./entities.ts";
import { isKnown } from "./known-token.ts";
import { webAddress } from "./link.ts";
import style from "./markdown.module.css";

/** Text within a block. HTML stays as it was written: nothing here makes markup of a string. */
export const Inline = ({ tokens }: { tokens: readonly Token[] }): ReactNode =>
  tokens.map((token, at) => (
    // Tokens have no other identity than their place.
    <Fragment key={at}>{isKnown(token) ? element(token) : token.raw}</Fragment>
  ));

const element = (token: MarkedToken): ReactNode => {
  switch (token.type) {
    case "strong":
      return (
        <strong>
          <Inline tokens={token.tokens} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Inline tokens={token.tokens} />
        </em>
      );
    case "del":
      return (
        <del>
          <Inline tokens={token.tokens} />
        </del>
      );
    case "codespan":
      return <code className={style.codespan}>{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return (
        <Address href={token.href}>
          <Inline tokens={token.tokens} />
        </Address>
      );
    case "image":
      // Nothing of another server is loaded because an agent names it.
      return <Address href={token.href}>{token.text || token.href}</Address>;
    case "checkbox":
      return (
        <input
          type="checkbox"
          checked={token.checked}
          readOnly
          aria-label={token.checked ? "done" : "not done"}
          disabled
        />
      );
    case "escape":
      return token.text;
    case "text":
      return token.tokens === undefined ? (
        withoutEntities(token.text)
      ) : (
        <Inline tokens={token.tokens} />
      );
    default:
      return token.raw;
  }
};

const Address = ({ href, children }: { href: string; children: ReactNode }) => {
  const address = webAddress(href);
  return address === null ? (
    children
  ) : (
    <a
      className={style.link}
      href={address}
      target="_blank"
      rel="noreferrer noopener"
      title={address}
    >
      {children}
    </a>
  );
};
