import type { ReactNode } from "react";
import { Overlays } from "../overlay/overlays.tsx";
import type { PageStores } from "../start/page-stores.ts";
import { AwayBar } from "./away-bar.tsx";
import { TitleCount } from "./page-title.tsx";
import { Nav } from "./nav.tsx";
import { PhoneBar } from "./phone-bar.tsx";
import { ReleaseBar } from "./release-bar.tsx";
import { useVisibleHeight } from "./use-visible-height.ts";
import style from "./frame.module.css";

/** Round every screen: what there is on the left, on phones at the bottom. The screen is the main landmark. */
export const Frame = ({
  stores,
  children,
}: {
  stores: PageStores;
  children: ReactNode;
}) => {
  useVisibleHeight();
  return (
    <TitleCount attention={stores.attention}>
      <Overlays stores={stores}>
        <div className={style.frame}>
          <a className={style.skip} href="#main">
            Skip to the content
          </a>
          <Nav stores={stores} />
          <div className={style.screen}>
            <AwayBar connection={stores.connection} />
            <ReleaseBar other={stores.otherRelease} />
            <main id="main" className={style.main} tabIndex={-1}>
              {children}
            </main>
          </div>
          <PhoneBar attention={stores.attention} />
        </div>
      </Overlays>
    </TitleCount>
  );
};
