import type { FastifyInstance } from 'fastify'
import { html, styledPage, type Html } from '../kernel/html.js'

const { style, headers } = styledPage(
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem}' +
    'button{display:block;width:100%;font:inherit;padding:.8rem;margin:.5rem 0}label{display:block;margin:.5rem 0}',
  { ownForms: true },
)

/** The headers of such a page. */
export { headers as FORM_PAGE_HEADERS }

/** A page of a provider, where its person presses a button. */
export function formPage({ title, head, body }: { title: string; head?: Html | undefined; body: Html }): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        ${head}
        <title>${title}</title>
        ${style}
      </head>
      <body>
        ${body}
      </body>
    </html>`.text
}

/** Has a simulator read what a form without files sends, as an object. */
export function readForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
}
