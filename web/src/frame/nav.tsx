import { useContext } from "react";
import { Link, useLocation } from "wouter";
import { Badge } from "../kit/badge.tsx";
import { classes } from "../kit/classes.ts";
import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import type { IconName } from "../kit/icon-paths.ts";
import { Kbd } from "../kit/kbd.tsx";
import { Logo } from "../kit/logo.tsx";
import { useReadable } from "../kit/use-readable.ts";
import { CommandsContext } from "../overlay/use-commands.ts";
import { routes } from "../routes.ts";
import type { PageStores } from "../start/page-stores.ts";
import { ConnectionFoot } from "./connection-foot.tsx";
import { needWords } from "./need-words.ts";
import { SessionList } from "./session-list.tsx";
import style from "./nav.module.css";

const places: readonly { href: string; name: string; icon: IconName }[] = [
  { href: routes.home, name: "Home", icon: "inbox" },
  { href: "/tasks", name: "Tasks", icon: "tasks" },
  { href: routes.agents, name: "Agents", icon: "agent" },
  { href: routes.settings, name: "Settings", icon: "settings" },
];

export const Nav = ({ stores }: { stores: PageStores }) => {
  const needing = useReadable(stores.attention).length;
  const [path] = useLocation();
  const commands = useContext(CommandsContext);
  return (
    <nav className={style.nav} aria-label="Main">
      <div className={style.brand}>
        <Logo />
        Reprise
      </div>
      <div className={style.top}>
        <Link href={routes.newSession} className={style.create}>
          <Icon name="plus" size={14} />
          New session
          <Kbd>C</Kbd>
        </Link>
        <IconButton
          icon="search"
          label="Search and commands"
          bordered
          onClick={() => commands?.run("palette")}
        />
      </div>
      {places.map(({ href, name, icon }) => (
        <Link
          key={href}
          href={href}
          className={classes(style.place, isAt(path, href) && style.current)}
          {...(isAt(path, href) ? { "aria-current": "page" as const } : {})}
        >
          <Icon name={icon} />
          <span className={style.name}>{name}</span>
          {href === routes.home && (
            <Badge count={needing} label={needWords(needing)} />
          )}
        </Link>
      ))}
      <SessionList stores={stores} path={path} />
      <ConnectionFoot connection={stores.connection} version={stores.version} />
    </nav>
  );
};

const isAt = (path: string, href: string): boolean =>
  path === href || (href !== "/" && path.startsWith(`${href}/`));
