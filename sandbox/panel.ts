import { html, styledPage, type Html } from '../kernel/html.js'
import type { PartialSandbox } from './sandbox.js'
import { FAULT_MODES } from './simulator.js'
import { withOwnForms } from './own-forms.js'

/** One button of the page: what it asks for, and the call that it makes. */
interface PanelAction {
  title: string
  /** The names of what is asked for; a name in brackets may be left empty. */
  fields: readonly string[]
  /** The address of the simulator; undefined where it does not run here. */
  base: (sandbox: PartialSandbox) => string | undefined
  path: (given: Given) => string
  body?: (given: Given) => object
}

type Given = (field: string) => string | undefined

const pixUrl = ({ rails }: PartialSandbox): string | undefined => rails.pix?.baseUrl
const cardUrl = ({ rails: { card } }: PartialSandbox): string | undefined => card && new URL(card.baseUrl).origin
const kycUrl = ({ verifier }: PartialSandbox): string | undefined => verifier?.baseUrl
const part = (value: string | undefined): string => encodeURIComponent(value ?? '')
const pixCharge = (title: string, what: string): PanelAction => ({
  title,
  fields: ['txid'],
  base: pixUrl,
  path: (given) => `/sandbox/cob/${part(given('txid'))}/${what}`,
})
const cardCharge = (title: string, what: string): PanelAction => ({
  title,
  fields: ['charge'],
  base: cardUrl,
  path: (given) => `/sandbox/charges/${part(given('charge'))}/${what}`,
})
const faults = (name: string, base: PanelAction['base']): PanelAction => ({
  title: `Let ${name} fail (${FAULT_MODES.join(', ')})`,
  fields: ['mode', '[times]', '[ms]'],
  base,
  path: () => '/sandbox/faults',
  body: (given) => ({
    mode: given('mode'),
    ...(given('times') !== undefined && { times: Number(given('times')) }),
    ...(given('ms') !== undefined && { ms: Number(given('ms')) }),
  }),
})

/** Every control of the simulators, by the name that its form sends. */
const ACTIONS: Readonly<Record<string, PanelAction>> = {
  'pix-pay': {
    title: 'Pay a Pix charge by its code',
    fields: ['code', '[valor]'],
    base: pixUrl,
    path: () => '/sandbox/pay',
    body: (given) => ({ code: given('code'), ...(given('valor') !== undefined && { valor: given('valor') }) }),
  },
  'pix-expire': pixCharge('Let a Pix charge expire', 'expire'),
  'pix-remove': pixCharge('Let the provider remove a Pix charge', 'remove'),
  'pix-med': {
    title: 'Force a Pix back (MED)',
    fields: ['e2eid'],
    base: pixUrl,
    path: (given) => `/sandbox/pix/${part(given('e2eid'))}/med`,
  },
  'card-settle': cardCharge('Settle a card charge that is processing', 'settle'),
  'card-refund': cardCharge('Refund a card charge', 'refund'),
  'card-chargeback': cardCharge('Charge a card charge back', 'chargeback'),
  'kyc-decide': {
    title: 'End a verification (Approved, Declined, In Review …)',
    fields: ['session', 'status'],
    base: kycUrl,
    path: (given) => `/sandbox/session/${part(given('session'))}/decide`,
    body: (given) => ({ status: given('status') }),
  },
  'pix-faults': faults('the Pix provider', pixUrl),
  'card-faults': faults('the card processor', cardUrl),
  'kyc-faults': faults('the verification provider', kycUrl),
  'price-faults': faults('the exchange', ({ priceUrl }) => priceUrl),
  'router-faults': faults('the router', ({ routerUrl }) => routerUrl),
  'mail-faults': faults('the mail server', ({ mailboxUrl }) => mailboxUrl && new URL(mailboxUrl).origin),
}

const { style, headers } = styledPage(
  'body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}' +
    'form{border:1px solid #ccc;border-radius:8px;padding:1rem;margin:1rem 0}h2{font-size:1rem;margin:0}' +
    'input,button{font:inherit;margin:.25rem .5rem .25rem 0}pre{white-space:pre-wrap;background:#eee;padding:1rem}',
)

/** The headers of the page. */
export const PANEL_HEADERS = withOwnForms(headers)

/**
 * The page of a sandbox: its time, and a form for each control of what runs here. Each form takes the platform key.
 * @param result what the last form was answered
 */
export function panelPage(sandbox: PartialSandbox, result?: string): string {
  const shown = Object.entries(ACTIONS).filter(([, { base }]) => base(sandbox) !== undefined)
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
        <p>Its time is ${sandbox.now().toISOString()}. Each form takes the platform key of sandbox.json.</p>
        ${sandbox.mailboxUrl === undefined ? undefined : html`<p><a href="${sandbox.mailboxUrl}">Mailbox</a></p>`}
        ${result === undefined ? undefined : html`<pre>${result}</pre>`}
        ${formOf('clock', 'Move the clock forward', ['seconds'])}
        ${shown.map(([name, { title, fields }]) => formOf(name, title, fields))}
      </body>
    </html>`.text
}

function formOf(name: string, title: string, fields: readonly string[]): Html {
  return html`<form method="post" action="/sandbox">
    <h2>${title}</h2>
    <input type="hidden" name="action" value="${name}" />
    <input type="password" name="key" placeholder="platform key" required />
    ${fields.map((field) => {
      const isOptional = field.startsWith('[')
      const bare = field.replace(/[[\]]/g, '')
      return html`<input name="${bare}" placeholder="${field}" ${isOptional ? undefined : 'required'} />`
    })}
    <button>Do it</button>
  </form>`
}

/**
 * Does what a form asks for.
 * @returns the simulator's answer; undefined where there is no such control here
 */
export async function runPanelAction(sandbox: PartialSandbox, form: URLSearchParams): Promise<string | undefined> {
  const action = ACTIONS[form.get('action') ?? '']
  const base = action?.base(sandbox)
  if (!action || base === undefined) return undefined
  const given: Given = (field) => form.get(field) || undefined
  const answer = await fetch(`${base}${action.path(given)}`, {
    method: 'POST',
    ...(action.body && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action.body(given)),
    }),
  })
  return `${answer.status} ${await answer.text()}`
}
