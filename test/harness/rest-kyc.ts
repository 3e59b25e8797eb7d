import { postJson } from './control.js'
import { until } from './until.js'
import type { Shop } from './rest-payments.js'
import type { Harness } from './harness.js'

let emails = 0

/** An e-mail address that nobody used before. */
export function newEmail(): string {
  return `kyc-${process.pid}-${(emails += 1)}@example.com`
}

/** The newest one-time code that was sent to an address. */
export async function newestCode(harness: Harness, email: string): Promise<string> {
  const answer = await fetch(`${harness.mailboxUrl}?to=${encodeURIComponent(email)}`)
  const mails = (await answer.json()) as { text: string }[]
  const code = /\b\d{6}\b/.exec(mails.at(-1)?.text ?? '')?.[0]
  if (code === undefined) throw new Error(`no code was sent to ${email}`)
  return code
}

/** Prepares and proves an e-mail address over REST. */
export async function proveEmail(harness: Harness, tenant: Shop, email = newEmail()): Promise<string> {
  await tenant.post('/kyc/prepare', { email })
  await tenant.post('/security/email/send-otp', { email })
  const verified = await tenant.post('/security/email/verify-otp', { email, code: await newestCode(harness, email) })
  if (verified.status !== 200) throw new Error(`${email} could not be proved: ${verified.text}`)
  return email
}

/** Verifies the owner of a proved e-mail address or wallet. @param decision what the provider shows besides @returns the session's id */
export async function approve(
  harness: Harness,
  tenant: Shop,
  who: { email: string } | { wallet: string },
  decision: { document?: string } = {},
): Promise<string> {
  const created = await tenant.post('/kyc/create/verify_public_kyc', who)
  const { session_id: id } = (created.body.data?.['session'] ?? {}) as { session_id?: string }
  if (id === undefined) throw new Error(`there is no session: ${created.text}`)
  await postJson(`${harness.kycUrl}/sandbox/session/${id}/decide`, { status: 'Approved', ...decision })
  const query = new URLSearchParams(who).toString()
  await until('the approval has arrived', async () => {
    const { body } = await tenant.get(`/kyc/status?${query}`)
    return body.data?.['approved'] === true
  })
  return id
}
