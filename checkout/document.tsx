import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { PageAssets } from './assets.js'
import { MESSAGES } from './language.js'
import { App } from './page/app.js'
import type { Boot, Language } from './page/view.js'

/** How often a page reloads itself where no script keeps it up to date, in seconds. */
const RELOAD_SECONDS = '5'

/** The document of a payment: drawn already, with what the script starts from. */
export function paymentDocument(boot: Boot, assets: PageAssets, scripts: readonly string[]): string {
  const messages = MESSAGES[boot.language]
  const { status } = boot.view
  const isOver = status === 'paid' || status === 'canceled'
  return documentOf(
    <html lang={boot.language}>
      <Head title={`${messages.states[status].title} · ${boot.view.merchant ?? messages.title}`} assets={assets}>
        {!isOver && (
          <noscript>
            <meta http-equiv="refresh" content={RELOAD_SECONDS} />
          </noscript>
        )}
      </Head>
      <body>
        <div id="app">
          <App {...boot} messages={messages} />
        </div>
        <Data value={{ ...boot, messages }} />
        {scripts.map((src) => (
          <script key={src} type="module" src={src} />
        ))}
      </body>
    </html>,
  )
}

/** The page instead of a payment: its link is not good, or it cannot be read right now. */
export function noticeDocument(
  notice: 'notFound' | 'expired' | 'unavailable',
  language: Language,
  assets: PageAssets,
): string {
  const { title, text } = MESSAGES[language][notice]
  const status = notice === 'expired' ? { 'data-test': 'status', 'data-status': 'expired' } : {}
  return documentOf(
    <html lang={language}>
      <Head title={title} assets={assets} />
      <body>
        <main class="notice" {...status}>
          <h1>{title}</h1>
          <p>{text}</p>
        </main>
      </body>
    </html>,
  )
}

function Head({ title, assets, children }: { title: string; assets: PageAssets; children?: ComponentChildren }) {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex, nofollow" />
      <title>{title}</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href={assets.style} />
      {children}
    </head>
  )
}

/** JSON in a block that nothing runs; no `<` in it can end the block. */
function Data({ value }: { value: unknown }) {
  const json = JSON.stringify(value).replaceAll('<', '\\u003c')
  return <script type="application/json" id="boot" dangerouslySetInnerHTML={{ __html: json }} />
}

function documentOf(element: preact.VNode): string {
  return `<!doctype html>${renderToString(element)}`
}
