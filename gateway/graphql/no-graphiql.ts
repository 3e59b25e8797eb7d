import type { FastifyReply, FastifyRequest } from 'fastify'
import { html, styledPage } from '../../kernel/html.js'

const { style, headers } = styledPage(`
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
body { margin: 0; background: Canvas; color: CanvasText; }
main { padding: 1rem 1.5rem; max-width: 40rem; }
h1 { font-size: 1.75rem; line-height: 1.2; }
`)

const PAGE = html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>No GraphiQL</title>
      ${style}
    </head>
    <body>
      <main>
        <h1>GraphiQL is not served here</h1>
        <p>
          This deployment runs trusted documents only. Whatever is tried in GraphiQL would be refused with
          <code>DOCUMENT_NOT_TRUSTED</code>, and so would the reading of the schema.
        </p>
        <p><a href="/schema">The schema</a> can be read without it, and <a href="/docs">the documentation</a>.</p>
      </main>
    </body>
  </html>`.text

/**
 * Stands in for GraphiQL where keys run trusted documents only. GraphiQL sends no document as it is written, but without its
 * spaces: none that is pasted there is one that is trusted.
 */
export function sendNoGraphiql(_request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  return Promise.resolve(
    reply
      .code(404)
      .headers({ ...headers, 'cache-control': 'no-cache', vary: 'accept' })
      .send(PAGE),
  )
}
