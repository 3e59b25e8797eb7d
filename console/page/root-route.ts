import { createRootRoute, lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import { Frame } from './parts/frame.js'
import { NotFound } from './parts/not-found.js'

/** What all pages are in. */
export const root = createRootRoute({ component: Frame, notFoundComponent: NotFound })

/** The route of a page, which is loaded once it is opened. @param name that of the page in its module */
export function page<Path extends string, Name extends string>(
  path: Path,
  load: () => Promise<Record<Name, RouteComponent>>,
  name: Name,
): { getParentRoute: () => typeof root; path: Path; component: RouteComponent } {
  return { getParentRoute: () => root, path, component: lazyRouteComponent(load, name) }
}
