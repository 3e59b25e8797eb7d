import { html } from '../../kernel/html.js'
import { formPage } from '../form-page.js'
import type { SimulatedSession } from './session.js'

/** What the buttons of the page do: the status that each ends the session in. */
const BUTTONS = { Approved: 'Approve', Declined: 'Decline', 'In Review': 'Send to review', Abandoned: 'Leave' } as const

/** The hosted page of a session: where the camera would be, there are buttons. */
export function sessionPage(session: SimulatedSession, isOver: boolean): string {
  const form = html`<form method="post">
    <label><input type="checkbox" name="blocklisted" value="true" /> the document is on a blocklist</label>
    <label><input type="checkbox" name="vpn" value="true" /> through a VPN</label>
    ${Object.entries(BUTTONS).map(([status, label]) => html`<button name="status" value="${status}">${label}</button>`)}
  </form>`
  return formPage({
    title: 'Identity verification',
    body: html`<h1>Identity verification</h1>
      <p>This is the sandbox: nobody is looked at. Session ${session.number} is <strong>${session.status}</strong>.</p>
      ${isOver ? html`<p>You can close this page.</p>` : form}`,
  })
}
