import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { KEEP_PRESS } from './keep-press.js'
import { MESSAGES } from './language.js'
import type { PageStyle } from './page-style.js'
import { App } from './page/app.js'
import { loadDrawn } from './page/lazy.js'
import { titleOf } from './page/status.js'
import { amountOf, fill } from './page/text.js'
import type { Boot, Language } from './page/view.js'
import { PICTURE } from './sharing/picture.js'

/** How often a page reloads itself where no script keeps it up to date, in seconds. */
const RELOAD_SECONDS = '5'

// A server draws without waiting.
await loadDrawn({ status: 'waiting', methods: [], hasTerms: false })

/** What a document needs besides its payment. */
export interface Surroundings {
  scripts: readonly string[]
  publicUrl: string
  style: PageStyle
}

/** The document of a payment: drawn already, with what the script starts from. */
export function paymentDocument(boot: Boot, { scripts, publicUrl, style }: Surroundings): string {
  const messages = MESSAGES[boot.language]
  const { status } = boot.view
  const isOver = status === 'paid' || status === 'canceled'
  return documentOf(
    <html lang={boot.language}>
      <Head title={titleOf(boot.view, messages)} style={style}>
        <Sharing boot={boot} publicUrl={publicUrl} />
        <script dangerouslySetInnerHTML={{ __html: KEEP_PRESS }} />
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
  style: PageStyle,
): string {
  const { title, text } = MESSAGES[language][notice]
  const status = notice === 'expired' ? { 'data-test': 'status', 'data-status': 'expired' } : {}
  return documentOf(
    <html lang={language}>
      <Head title={title} style={style} />
      <body>
        <main class="notice" {...status}>
          <h1>{title}</h1>
          <p>{text}</p>
        </main>
      </body>
    </html>,
  )
}

function Head({ title, style, children }: { title: string; style: PageStyle; children?: ComponentChildren }) {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex, nofollow" />
      <title>{title}</title>
      <link rel="icon" href="data:," />
      {/* A style sheet of ours has no `<` that could end the block. */}
      <style dangerouslySetInnerHTML={{ __html: style.text }} />
      {children}
    </head>
  )
}

/** What messengers show of a link that somebody sends: who is paid and how much, nothing of who pays. */
function Sharing({ boot: { view, language, logo, base }, publicUrl }: { boot: Boot; publicUrl: string }) {
  const messages = MESSAGES[language]
  const { merchant } = view
  const title = merchant === null ? messages.title : fill(messages.to, { merchant })
  const described = amountOf(view, messages)
  return (
    <>
      <meta name="description" content={described} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={described} />
      <meta name="twitter:card" content="summary_large_image" />
      <meta property="og:image" content={`${publicUrl}${base}/share.png?lang=${language}`} />
      <meta property="og:image:width" content={String(PICTURE.width)} />
      <meta property="og:image:height" content={String(PICTURE.height)} />
      <meta property="og:image:alt" content={`${title}: ${described}`} />
      {logo !== null && <meta property="og:image" content={`${publicUrl}${logo}`} />}
    </>
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
