import { useState } from "react";
import { Link } from "wouter";
import { TopBar } from "../frame/top-bar.tsx";
import { Button } from "../kit/button.tsx";
import { routes } from "../routes.ts";
import type { PageStores } from "../start/page-stores.ts";
import { signOut } from "../start/sign-in.ts";
import { NoticesSection } from "./notices-section.tsx";
import { ServerSection } from "./server-section.tsx";
import { SpaceSection } from "./space-section.tsx";
import { chooseTheme, currentTheme, type Theme, themes } from "./theme.ts";
import style from "./settings.module.css";

const names: Record<Theme, string> = {
  system: "As the system",
  light: "Light",
  dark: "Dark",
};

/** What this browser does with the page, and how its server is set. */
export const Settings = ({
  stores,
}: {
  stores: Pick<PageStores, "version" | "settings" | "client">;
}) => {
  const [theme, setTheme] = useState(() => currentTheme(document));
  const choose = (chosen: Theme): void => {
    chooseTheme(document, chosen);
    setTheme(chosen);
  };
  const leave = async (): Promise<void> => {
    await signOut();
    location.assign("/");
  };
  return (
    <>
      <TopBar title="Settings" />
      <div className={style.screen}>
        <div className={style.body}>
          <nav className={style.places} aria-label="More places">
            <Link href={routes.agents}>Agents</Link>
            <Link href={routes.trash}>Trash</Link>
          </nav>
          <fieldset className={style.group}>
            <legend>Colours</legend>
            {themes.map((each) => (
              <label key={each} className={style.choice}>
                <input
                  type="radio"
                  name="theme"
                  checked={each === theme}
                  onChange={() => choose(each)}
                />
                {names[each]}
              </label>
            ))}
          </fieldset>
          <NoticesSection />
          <SpaceSection stores={stores} />
          <ServerSection settings={stores.settings} />
          <section className={style.group} aria-labelledby="this-browser">
            <h2 id="this-browser">This browser</h2>
            <p>
              It is signed in to Reprise {stores.version}.{" "}
              <code>reprise open</code> signs in again.
            </p>
            <Button onClick={() => void leave()}>Sign out</Button>
          </section>
          <section className={style.group} aria-labelledby="documents">
            <h2 id="documents">Documents</h2>
            <p>
              <code>reprise help</code> lists the commands. Guides and rules lie
              in <code>docs</code> of the package. The API of this server is
              described in{" "}
              <a className={style.link} href="/openapi.json">
                openapi.json
              </a>
              .
            </p>
          </section>
        </div>
      </div>
    </>
  );
};
