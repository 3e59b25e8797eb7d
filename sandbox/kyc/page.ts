import { html, styledPage } from '../../kernel/html.js'
import type { SimulatedSession } from './session.js'

const { style, headers: PAGE_HEADERS } = styledPage(
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem}' +
    'button{display:block;width:100%;font:inherit;padding:.8rem;margin:.5rem 0}label{display:block;margin:.5rem 0}',
  { ownForms: true },
)

/** The headers of the page. */
export { PAGE_HEADERS }

/** What the buttons of the page do: the status that each ends the session in. */
const BUTTONS = { Approved: 'Approve', Declined: 'Decline', 'In Review': 'Send to review', Abandoned: 'Leave' } as const

/** The hosted page of a session: where the camera would be, there are buttons. */
export function sessionPage(session: SimulatedSession, isOver: boolean): string {
  const form = html`<form method="post">
    <label><input type="checkbox" name="blocklisted" value="true" /> the document is on a blocklist</label>
    <label><input type="checkbox" name="vpn" value="true" /> through a VPN</label>
    ${Object.entries(BUTTONS).map(([status, label]) => html`<button name="status" value="${status}">${label}</button>`)}
  </form>`
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Identity verification</title>
        ${style}
      </head>
      <body>
        <h1>Identity verification</h1>
        <p>
          This is the sandbox: nobody is looked at. Session ${session.number} is <strong>${session.status}</strong>.
        </p>
        ${isOver ? html`<p>You can close this page.</p>` : form}
      </body>
    </html>`.text
}
