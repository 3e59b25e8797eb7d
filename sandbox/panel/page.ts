import { html, styledPage, type Html } from '../../kernel/html.js'
import type { PartialSandbox } from '../sandbox.js'
import { FAULT_MODES } from '../simulator.js'
import { FAULTS, pixUrl } from './actions.js'
import type { OpenThings, PanelRow } from './open-things.js'

const { style, headers } = styledPage(
  ':root{color-scheme:light dark}*{box-sizing:border-box}' +
    'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}' +
    'h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.15rem;margin:2rem 0 .5rem}p{margin:.5rem 0}' +
    'nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem}ul{list-style:none;margin:0;padding:0}' +
    'li,.box{border:1px solid #8886;border-radius:8px;padding:.75rem;margin:.5rem 0}' +
    'small{display:block;opacity:.8}form{display:inline-flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:.35rem .5rem .1rem 0}' +
    'input,select,button{font:inherit;padding:.45rem .7rem;border-radius:6px;border:1px solid #8889;max-width:100%}' +
    'button{cursor:pointer}input[name=code]{flex:1 1 16rem}input[type=number]{width:8rem}' +
    'pre{white-space:pre-wrap;background:#8882;padding:.75rem;border-radius:8px;max-height:14rem;overflow:auto}',
  { ownForms: true },
)

/** The headers of the page. */
export const PANEL_HEADERS = { ...headers, 'cache-control': 'no-store' }

/** What the page shows to somebody who has shown the platform key. */
export interface PanelView {
  open: OpenThings
  /** What the last form was answered. */
  result: string | undefined
}

/**
 * The page of a sandbox: its time, what is open in it with a button for each thing that can be done, and its simulators.
 * @param view undefined for who has not shown the platform key: then the page asks for it
 * @param refusal why the key was not taken
 */
export function panelPage(sandbox: PartialSandbox, view: PanelView | undefined, refusal?: string): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Sandbox</title>
        ${style}
      </head>
      <body>
        <h1>Sandbox</h1>
        <nav>
          <a href="/">Start</a>
          ${sandbox.toyWallet && html`<a href="/sandbox/pay">Pay a payment</a>`}
          ${sandbox.mailboxUrl === undefined ? undefined : html`<a href="${sandbox.mailboxUrl}">Mailbox</a>`}
          <a href="/docs/test-data">Test data</a>
        </nav>
        ${view ? panel(sandbox, view) : keyForm(refusal)}
      </body>
    </html>`.text
}

function keyForm(refusal: string | undefined): Html {
  return html`<p>
      What is here changes the sandbox for everybody who uses it. It takes the <code>platform_key</code> of
      <code>sandbox.json</code>, which is in the folder that <code>DATA_DIR</code> names (<code>.data</code>).
    </p>
    ${refusal === undefined ? undefined : html`<pre role="alert">${refusal}</pre>`}
    <form method="post" action="/sandbox/key">
      <input type="password" name="key" placeholder="platform key" aria-label="platform key" required />
      <button>Open</button>
    </form>`
}

function panel(sandbox: PartialSandbox, { open, result }: PanelView): Html {
  return html`${result === undefined ? undefined : html`<pre role="status">${result}</pre>`}
  ${section('Pix', open.pix, 'No Pix waits to be paid.', pixUrl(sandbox) === undefined ? undefined : codeForm())}
  ${section('People to verify', open.people, 'Nobody is being verified.')}
  ${section('Card charges', open.cards, 'No card was charged.')} ${clockSection(sandbox.now())}
  ${section('E-mails', open.mails, 'No e-mail has come.')} ${faultSection(sandbox)}`
}

function section(title: string, rows: readonly PanelRow[] | undefined, none: string, extra?: Html): Html | undefined {
  if (!rows) return undefined
  return html`<h2>${title}</h2>
    ${extra}
    ${
      rows.length === 0
        ? html`<p>${none}</p>`
        : html`<ul>
            ${rows.map(rowItem)}
          </ul>`
    }`
}

function rowItem({ title, details, link, buttons }: PanelRow): Html {
  return html`<li>
    <b>${title}</b>
    ${link && html`<a href="${link.href}">${link.text}</a>`}<small>${details.join(' · ')}</small>
    ${buttons.map(({ label, fields }) => form(fields, html`<button>${label}</button>`))}
  </li>`
}

function form(fields: Readonly<Record<string, string>>, rest: Html): Html {
  return html`<form method="post" action="/sandbox">
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${rest}
  </form>`
}

function codeForm(): Html {
  return form(
    { action: 'pix-pay' },
    html`<input name="code" placeholder="Pix code (copia e cola)" aria-label="Pix code" required />
      <input name="valor" placeholder="another amount, 10.50" aria-label="another amount" />
      <button>Pay by code</button>`,
  )
}

const STEPS: readonly (readonly [string, number])[] = [
  ['An hour', 3600],
  ['A day', 86_400],
  ['A week', 604_800],
  ['30 days', 2_592_000],
]

function clockSection(now: Date): Html {
  return html`<h2>Clock</h2>
    <p>
      It is ${now.toISOString().slice(0, 19).replace('T', ' ')} UTC here. Time that has passed cannot be taken back:
      quotes, charges and sessions that are open expire by it.
    </p>
    ${STEPS.map(([label, seconds]) =>
      form({ action: 'clock', seconds: String(seconds) }, html`<button>${label} passes</button>`),
    )}
    ${form(
      { action: 'clock' },
      html`<input name="seconds" type="number" min="1" placeholder="seconds" aria-label="seconds" required />
        <button>So many seconds pass</button>`,
    )}`
}

function faultSection(sandbox: PartialSandbox): Html {
  const simulators = Object.entries(FAULTS).filter(([, { base }]) => base(sandbox) !== undefined)
  return html`<h2>Faults</h2>
    <p>
      <b>down</b> cuts the connection, <b>slow</b> holds the answer back, <b>error</b> is a failure of the provider's
      own, <b>drop-answer</b> does the work and loses the answer, <b>ok</b> ends it.
    </p>
    ${simulators.map(
      ([action, { name }]) =>
        html`<div class="box">
          <b>${name}</b><br />
          ${form({ action }, faultFields(name))}
        </div>`,
    )}`
}

function faultFields(name: string): Html {
  return html`<select name="mode" aria-label="${name}: how">
      ${FAULT_MODES.map((mode) => html`<option>${mode}</option>`)}
    </select>
    <input name="times" type="number" min="1" placeholder="times (all)" aria-label="${name}: how often" />
    <input name="ms" type="number" min="0" placeholder="ms if slow" aria-label="${name}: milliseconds" />
    <button>Set</button>`
}
