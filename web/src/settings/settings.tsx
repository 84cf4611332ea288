import { useState } from "react";
import { TopBar } from "../frame/top-bar.tsx";
import { Button } from "../kit/button.tsx";
import type { PageStores } from "../start/page-stores.ts";
import { signOut } from "../start/sign-in.ts";
import { chooseTheme, currentTheme, type Theme, themes } from "./theme.ts";
import style from "./settings.module.css";

const names: Record<Theme, string> = {
  system: "As the system",
  light: "Light",
  dark: "Dark",
};

/** What this browser does with the page. */
export const Settings = ({
  stores: { version },
}: {
  stores: Pick<PageStores, "version">;
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
      <div className={style.body}>
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
        <section className={style.group} aria-labelledby="this-browser">
          <h2 id="this-browser">This browser</h2>
          <p>
            It is signed in to Reprise {version}. <code>reprise open</code>{" "}
            signs in again.
          </p>
          <Button onClick={() => void leave()}>Sign out</Button>
        </section>
      </div>
    </>
  );
};
