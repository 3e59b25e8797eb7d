import { createRootRoute, lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import { Frame } from './parts/frame.js'
import { NotFound } from './parts/not-found.js'

/** What all pages are in. */
export const root = createRootRoute({ component: Frame, notFoundComponent: NotFound })

interface PageRoute<Path extends string> {
  getParentRoute: () => typeof root
  path: Path
  component: RouteComponent
}

type Load<Name extends string> = () => Promise<Record<Name, RouteComponent>>
type ReadSearch<Search> = (search: Record<string, unknown>) => Search

/**
 * The route of a page, which is loaded once it is opened.
 * @param name that of the page in its module
 * @param validateSearch reads what the page shows from the address; left out where that is in its path
 */
export function page<Path extends string, Name extends string>(
  path: Path,
  load: Load<Name>,
  name: Name,
): PageRoute<Path>
export function page<Path extends string, Name extends string, Search>(
  path: Path,
  load: Load<Name>,
  name: Name,
  validateSearch: ReadSearch<Search>,
): PageRoute<Path> & { validateSearch: ReadSearch<Search> }
export function page(path: string, load: Load<string>, name: string, validateSearch?: ReadSearch<unknown>): object {
  const component = lazyRouteComponent(load, name)
  return { getParentRoute: () => root, path, component, ...(validateSearch && { validateSearch }) }
}
