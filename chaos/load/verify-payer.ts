import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from './client.js'
import { control, type FlowContext } from './flow-context.js'

const RAIL = 'kyc'
const ROUNDS_MAX = 40

/** Verifies a payer by e-mail, with the code out of the mailbox. @returns the address; undefined where it did not work out */
export async function verifyPayer(context: Omit<FlowContext, 'verifiedEmail'>): Promise<string | undefined> {
  const { client, view } = context
  const email = `chaos-${randomUUID()}@example.com`
  const post = (path: string, operation: string, body: object): Promise<Answer> =>
    client.call({ method: 'POST', path, body, rail: RAIL, operation, id: email })
  await post('/kyc/prepare', 'prepare-kyc', { email })
  await post('/security/email/send-otp', 'send-email-otp', { email })
  if (!(await prove(context, email, (code) => post('/security/email/verify-otp', 'verify-email-otp', { email, code }))))
    return undefined
  const created = await post('/kyc/create/verify_public_kyc', 'create-kyc-session', { email })
  const session = created.data['session'] as { session_id?: string } | undefined
  if (session?.session_id === undefined) return undefined
  const decision = `${view.simulators.kycUrl}/sandbox/session/${session.session_id}/decide`
  const { status } = await control({ ...context, verifiedEmail: () => undefined }, decision, { status: 'Approved' })
  client.note({ rail: RAIL, operation: 'decide-kyc', id: email, status, request: { status: 'Approved' }, answer: null })
  for (let round = 0; round < ROUNDS_MAX && !client.isOver(); round += 1) {
    const query = new URLSearchParams({ email }).toString()
    const read = await client.call({
      method: 'GET',
      path: `/kyc/status?${query}`,
      ...{ rail: RAIL, operation: 'kyc-record', id: email },
    })
    if (read.data['approved'] === true) return email
    await delay(500)
  }
  return undefined
}

/** Types the newest code until it is taken: an e-mail may be late, and a second one may make the first worthless. */
async function prove(
  { client, view }: Pick<FlowContext, 'client' | 'view'>,
  email: string,
  send: (code: string) => Promise<Answer>,
): Promise<boolean> {
  let typed: string | undefined
  for (let round = 0; round < ROUNDS_MAX && !client.isOver(); round += 1) {
    const answer = await fetch(`${view.simulators.mailboxUrl}?to=${encodeURIComponent(email)}`).catch(() => undefined)
    const mails = answer?.ok ? ((await answer.json()) as { text: string }[]) : []
    const code = /\b\d{6}\b/.exec(mails.at(-1)?.text ?? '')?.[0]
    if (code !== undefined && code !== typed) {
      typed = code
      const { status, code: said } = await send(code)
      if (status === 200 || said === 'email_already_verified') return true
    }
    await delay(500)
  }
  return false
}
