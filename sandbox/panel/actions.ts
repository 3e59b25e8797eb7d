import type { PartialSandbox } from '../sandbox.js'

/** What a form of the panel asks for: a call of a simulator's control route. */
interface PanelAction {
  /** The address of the simulator; undefined where it does not run here. */
  base: (sandbox: PartialSandbox) => string | undefined
  path: (given: Given) => string
  body?: (given: Given) => object
}

type Given = (field: string) => string | undefined
type BaseOf = PanelAction['base']

export const pixUrl: BaseOf = ({ rails }) => rails.pix?.baseUrl
export const cardUrl: BaseOf = ({ rails: { card } }) => card && new URL(card.baseUrl).origin
export const kycUrl: BaseOf = ({ verifier }) => verifier?.baseUrl
export const mailUrl: BaseOf = ({ mailboxUrl }) => mailboxUrl && new URL(mailboxUrl).origin

/** The simulators that can be told to fail, by the action that tells them. */
export const FAULTS: Readonly<Record<string, { name: string; base: BaseOf }>> = {
  'pix-faults': { name: 'Pix provider', base: pixUrl },
  'card-faults': { name: 'Card processor', base: cardUrl },
  'kyc-faults': { name: 'Verification provider', base: kycUrl },
  'price-faults': { name: 'Exchange', base: ({ priceUrl }) => priceUrl },
  'router-faults': { name: 'Router', base: ({ routerUrl }) => routerUrl },
  'mail-faults': { name: 'Mail server', base: mailUrl },
}

const part = (value: string | undefined): string => encodeURIComponent(value ?? '')
const number = (name: string, value: string | undefined): object =>
  value === undefined ? {} : { [name]: Number(value) }
const pixCharge = (what: string): PanelAction => ({
  base: pixUrl,
  path: (given) => `/sandbox/cob/${part(given('txid'))}/${what}`,
})
const cardCharge = (what: string): PanelAction => ({
  base: cardUrl,
  path: (given) => `/sandbox/charges/${part(given('charge'))}/${what}`,
})
const faults = ({ base }: { base: BaseOf }): PanelAction => ({
  base,
  path: () => '/sandbox/faults',
  body: (given) => ({ mode: given('mode'), ...number('times', given('times')), ...number('ms', given('ms')) }),
})

/** Every control of the simulators, by the name that its form sends. */
const ACTIONS: Readonly<Record<string, PanelAction>> = {
  'pix-pay': {
    base: pixUrl,
    path: () => '/sandbox/pay',
    body: (given) => ({ code: given('code'), ...(given('valor') !== undefined && { valor: given('valor') }) }),
  },
  'pix-pay-charge': pixCharge('pay'),
  'pix-expire': pixCharge('expire'),
  'pix-remove': pixCharge('remove'),
  'pix-med': { base: pixUrl, path: (given) => `/sandbox/pix/${part(given('e2eid'))}/med` },
  'card-settle': cardCharge('settle'),
  'card-refund': cardCharge('refund'),
  'card-chargeback': cardCharge('chargeback'),
  'card-win': cardCharge('win'),
  'kyc-decide': {
    base: kycUrl,
    path: (given) => `/sandbox/session/${part(given('session'))}/decide`,
    body: (given) => ({ status: given('status') }),
  },
  ...Object.fromEntries(Object.entries(FAULTS).map(([name, simulator]) => [name, faults(simulator)])),
}

/**
 * Does what a form asks for.
 * @returns the simulator's answer, its status first; undefined where there is no such control here
 */
export async function runPanelAction(sandbox: PartialSandbox, form: URLSearchParams): Promise<string | undefined> {
  const name = form.get('action') ?? ''
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
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
