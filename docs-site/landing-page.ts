import { html } from '../kernel/html.js'
import type { Guide } from './guides.js'
import { sitePage } from './layout.js'

/** What somebody sees who opens the address of the deployment: what this is, and where to go. */
export function landingPage(guides: readonly Pick<Guide, 'name' | 'title'>[], isSandbox: boolean): string {
  const links = [
    ['/docs/first-payment', 'First payment', 'from nothing to paid'],
    ['/docs', 'Documentation', 'guides, errors, every REST path'],
    ['/graphql', 'GraphiQL', 'the schema, with your key'],
    ['/openapi.json', 'OpenAPI', 'for programs'],
    ...(isSandbox
      ? [
          ['/sandbox/pay', 'Pay a payment', 'as the payer, with a toy wallet, Pix or card'],
          ['/sandbox', 'Sandbox', 'pay, verify, charge back, move the clock'],
        ]
      : []),
  ]
  return sitePage(
    { title: isSandbox ? 'Sandbox' : 'Welcome', current: '' },
    guides,
    html`<h1>Payments API</h1>
      <p>
        A payment in a fiat currency, paid by wallet, Pix or card, received as a token on a chain. Orders, refunds,
        subscriptions, identity verification and lending beside it.
      </p>
      ${isSandbox ? html`<p><b>This is a sandbox:</b> no money moves, and its time can be moved.</p>` : undefined}
      <ul class="cards">
        ${links.map(
          ([href = '', title = '', what = '']) =>
            html`<li>
              <a href="${href}"><b>${title}</b><br />${what}</a>
            </li>`,
        )}
      </ul>`,
  )
}
