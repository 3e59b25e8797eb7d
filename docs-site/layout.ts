import { html, styledPage, type Html } from '../kernel/html.js'
import type { Guide } from './guides.js'

/** What the navigation looks like, as a bar above the page. */
export const NAVIGATION_STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { margin: 0; background: Canvas; color: CanvasText; }
nav { font: .9375rem/1.6 system-ui, sans-serif; }
nav { padding: 1rem 1.5rem .5rem; border-bottom: 1px solid var(--line); }
nav div { display: flex; gap: .25rem 1rem; overflow-x: auto; white-space: nowrap; padding: .5rem 0; }
nav a { color: inherit; text-decoration: none; padding: .375rem 0; }
nav a:hover { text-decoration: underline; }
nav a[aria-current] { font-weight: 600; }
nav form { display: flex; }
nav input { flex: 1; font: inherit; padding: .375rem .625rem; border: 1px solid var(--line); border-radius: 6px; min-width: 0; }
`

const STYLED = styledPage(
  `${NAVIGATION_STYLE}
:root { font: 16px/1.6 system-ui, sans-serif; }
a { color: LinkText; }
main { padding: 1rem 1.5rem 4rem; max-width: 48rem; overflow-wrap: anywhere; }
th { overflow-wrap: normal; }
h1 { font-size: 1.75rem; line-height: 1.2; }
h2 { font-size: 1.25rem; margin-top: 2.5rem; }
pre { overflow-x: auto; background: var(--soft); border: 1px solid var(--line); border-radius: 8px; padding: .75rem 1rem; font-size: .8125rem; line-height: 1.5; }
code { font-family: ui-monospace, monospace; font-size: .875em; overflow-wrap: anywhere; }
pre code { font-size: inherit; overflow-wrap: normal; }
.table { overflow-x: auto; background: linear-gradient(to right, Canvas 50%, transparent) left / 2rem 100% no-repeat local, linear-gradient(to left, Canvas 50%, transparent) right / 2rem 100% no-repeat local, linear-gradient(to right, #8888, transparent) left / .75rem 100% no-repeat scroll, linear-gradient(to left, #8888, transparent) right / .75rem 100% no-repeat scroll; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
main input, main select, main textarea, main button { font: inherit; padding: .375rem .625rem; border: 1px solid var(--line); border-radius: 6px; min-width: 0; }
main .row input { flex: 1; }
main textarea { display: block; width: 100%; box-sizing: border-box; margin: .25rem 0 .5rem; font: .8125rem/1.5 ui-monospace, monospace; }
summary { cursor: pointer; padding: .375rem 0; }
table { border-collapse: collapse; font-size: .875rem; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .375rem .75rem .375rem 0; border-bottom: 1px solid var(--line); min-width: 5.5rem; }
.cards { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); padding: 0; list-style: none; }
.cards a { display: block; border: 1px solid var(--line); border-radius: 8px; padding: .75rem 1rem; text-decoration: none; }
@media (min-width: 60rem) {
  nav { position: fixed; inset: 0 auto 0 0; width: 14rem; overflow-y: auto; border: 0; border-right: 1px solid var(--line); }
  nav div { flex-direction: column; gap: 0; white-space: normal; }
  main { margin-left: 17rem; }
}
`,
  { ownForms: true },
)

/** The headers of every page of the documentation. */
export const SITE_HEADERS = { ...STYLED.headers, 'cache-control': 'no-cache' }

/** A page of the site. @param current the path that the navigation marks */
export function sitePage(
  { title, current, query = '' }: { title: string; current: string; query?: string },
  guides: readonly Pick<Guide, 'name' | 'title'>[],
  body: Html,
): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title} &middot; Payments API</title>
        ${STYLED.style}
      </head>
      <body>
        ${navigation(guides, current, query)}
        <main>${body}</main>
      </body>
    </html>`.text
}

/** The links to every page, and the search. */
export function navigation(guides: readonly Pick<Guide, 'name' | 'title'>[], current: string, query = ''): Html {
  return html`<nav aria-label="Documentation">
    <form action="/docs/search" role="search">
      <input type="search" name="q" value="${query}" placeholder="Search" aria-label="Search" />
    </form>
    <div>
      <a href="/docs">Overview</a>
      ${pagesOf(guides).map(([path, title]) => link(path, title, path === current))}
    </div>
  </nav>`
}

/** Every page, by its path and its title; last those that are written from the product's own tables. */
export function pagesOf(guides: readonly Pick<Guide, 'name' | 'title'>[]): readonly (readonly [string, string])[] {
  return [
    ...guides.map(({ name, title }) => [`/docs/${name}`, title] as const),
    ['/docs/errors', 'Errors'],
    ['/docs/reference', 'REST reference'],
    ['/schema', 'GraphQL schema'],
  ]
}

function link(path: string, title: string, isCurrent: boolean): Html {
  return isCurrent ? html`<a href="${path}" aria-current="page">${title}</a>` : html`<a href="${path}">${title}</a>`
}
