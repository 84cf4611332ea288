import { useContext } from "react";
import { Link, useLocation } from "wouter";
import { Badge } from "../kit/badge.tsx";
import { classes } from "../kit/classes.ts";
import { Icon } from "../kit/icon.tsx";
import type { IconName } from "../kit/icon-paths.ts";
import { useReadable } from "../kit/use-readable.ts";
import { routes } from "../routes.ts";
import { CommandsContext } from "../overlay/use-commands.ts";
import type { PageStores } from "../start/page-stores.ts";
import { needWords } from "./need-words.ts";
import style from "./phone-bar.module.css";

const places: readonly { href: string; name: string; icon: IconName }[] = [
  { href: routes.home, name: "Home", icon: "inbox" },
  { href: "/tasks", name: "Tasks", icon: "tasks" },
  { href: routes.newSession, name: "New", icon: "plus" },
  { href: routes.settings, name: "Settings", icon: "settings" },
];

/** The main places on a phone, under the thumb. */
export const PhoneBar = ({ attention }: Pick<PageStores, "attention">) => {
  const needing = useReadable(attention).length;
  const [path] = useLocation();
  const commands = useContext(CommandsContext);
  return (
    <nav className={style.bar} aria-label="Places">
      {places.map(({ href, name, icon }) => (
        <Link
          key={href}
          href={href}
          className={classes(style.place, path === href && style.current)}
          {...(path === href ? { "aria-current": "page" as const } : {})}
        >
          <Icon name={icon} size={20} />
          {name}
          {href === routes.home && (
            <span className={style.badge}>
              <Badge count={needing} label={needWords(needing)} />
            </span>
          )}
        </Link>
      ))}
      <button
        type="button"
        className={style.place}
        onClick={() => commands?.run("palette")}
      >
        <Icon name="search" size={20} />
        Search
      </button>
    </nav>
  );
};
