import { ButtonLink } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { routes } from "../routes.ts";
import { TopBar } from "./top-bar.tsx";

export const NotFound = () => (
  <>
    <TopBar title="Not found" />
    <EmptyState
      title="There is nothing at this address"
      icon="question"
      actions={<ButtonLink href={routes.home}>Home</ButtonLink>}
    />
  </>
);
