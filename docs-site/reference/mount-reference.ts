import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { loadBuiltFiles } from '../../gateway/built-files/load-built-files.js'
import type { Builds } from '../../gateway/built-files/shared-builds.js'
import { html, Html } from '../../kernel/html.js'
import { projectRoot } from '../../kernel/root.js'
import type { Guide } from '../guides.js'
import { navigation, NAVIGATION_STYLE } from '../layout.js'

/**
 * Serves the REST reference: a foreign renderer, in our navigation, draws what `/openapi.json` says. ADR 40 has the why.
 * @throws Error where it was not built
 */
export function mountReference(app: FastifyInstance, guides: readonly Guide[], builds: Builds): void {
  const files = loadBuiltFiles(join(projectRoot, 'dist', 'reference-page'), '/docs/reference/')
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>REST reference · Payments API</title>
        <link rel="icon" href="data:," />
        ${new Html(`<style>${STYLE}</style>`)}
        <script defer src="${files.pathOf('page.ts')}"></script>
        <script defer src="${files.pathOf('renderer.js')}"></script>
      </head>
      <body>
        ${navigation(guides, '/docs/reference')}
        <main>
          <noscript>
            <p>This page needs JavaScript. <a href="/openapi.json">openapi.json</a> has all that it shows.</p>
          </noscript>
          <div id="reference"></div>
        </main>
      </body>
    </html>`.text
  files.mount(app, builds)
  app.get('/docs/reference', (_request, reply) => reply.headers(HEADERS).send(page))
}

/** The navigation stays in sight; the renderer keeps the room free that the property names. */
const STYLE = `${NAVIGATION_STYLE}
:root { --scalar-custom-header-height: 3.5rem; }
nav { position: sticky; top: 0; z-index: 20; display: flex; align-items: center; gap: 1rem; height: 3.5rem; box-sizing: border-box; padding: 0 1rem; background: Canvas; }
nav form { flex: 0 0 8rem; }
nav input { width: 100%; }
noscript p { font: 1rem/1.6 system-ui, sans-serif; padding: 1rem 1.5rem; }
`

/**
 * The renderer is four megabytes of somebody else's code, on the address that the console and the payment page have too.
 * So the page is in an origin of its own (`sandbox`): it has no cookie of ours and reads no answer but public ones. It
 * runs no script but those two, and writes its style sheets at run time. Its link to its maker opens a page beside it.
 */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    'sandbox allow-scripts allow-forms allow-downloads allow-popups allow-popups-to-escape-sandbox',
  ].join('; '),
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}
