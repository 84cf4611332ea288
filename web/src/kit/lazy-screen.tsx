import { type ComponentType, createElement, lazy, useState } from "react";

/**
 * A screen whose code comes when it is shown, or before with `fetch`. What is there already is rendered at once: once React has shown
 * that something is being loaded, it shows that for 300 ms at least, also where the code was there all the time.
 */
export const lazyScreen = <P extends object>(
  load: () => Promise<ComponentType<P>>,
): { Screen: ComponentType<P>; fetch: () => Promise<ComponentType<P>> } => {
  let loaded: ComponentType<P> | null = null;
  const fetch = async () => (loaded = await load());
  const Later = lazy(async () => ({ default: await fetch() }));
  const Screen = (props: P) => {
    const [Chosen] = useState<ComponentType<P>>(() => loaded ?? Later);
    return createElement(Chosen, props);
  };
  return { Screen, fetch };
};
