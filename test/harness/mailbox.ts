import type { Harness } from './harness.js'
import { until } from './until.js'

/** An e-mail as the sandbox's mailbox shows it. */
export interface Mail {
  subject: string
  text: string
  html: string
}

type Mailbox = Pick<Harness, 'mailboxUrl'>

/** What an address was sent so far, oldest first. */
export async function mailsTo({ mailboxUrl }: Mailbox, email: string): Promise<Mail[]> {
  return (await (await fetch(`${mailboxUrl}?to=${encodeURIComponent(email)}`)).json()) as Mail[]
}

/** Waits until an address has so many e-mails. */
export async function untilMails(mailbox: Mailbox, email: string, expected = 1): Promise<Mail[]> {
  return until(`${email} has ${expected} e-mails`, async () => {
    const mails = await mailsTo(mailbox, email)
    return mails.length >= expected && mails
  })
}

/** Waits for the e-mail of a subject. */
export async function untilMail(mailbox: Mailbox, email: string, subject: string): Promise<Mail> {
  return until(`${email} is told: ${subject}`, async () =>
    (await mailsTo(mailbox, email)).find((mail) => mail.subject === subject),
  )
}

/** Has the mail server refuse the next e-mail. */
export async function refuseNextMail({ mailboxUrl }: Mailbox): Promise<void> {
  const answer = await fetch(mailboxUrl.replace(/\/mailbox$/, '/sandbox/faults'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mode: 'error', times: 1 }),
  })
  if (!answer.ok) throw new Error(`the fault was refused: ${answer.status}`)
}
