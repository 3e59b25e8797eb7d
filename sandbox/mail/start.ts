import type { Clock } from '../../kernel/clock.js'
import { portOf, type StateFile } from '../state.js'
import { startMailSimulator } from './simulator.js'

/** The sandbox's mail server, running. */
export interface MailSandbox {
  /** How the product reaches it. */
  mail: { url: string; from: string }
  mailboxUrl: string
  close: () => Promise<void>
}

/** Starts the mail server on the sandbox's folder. Rejects where a port is taken. */
export async function startMailSandbox({ file, clock }: { file: StateFile; clock: Clock }): Promise<MailSandbox> {
  const simulator = await startMailSimulator({
    port: await portOf(file, 'mailbox'),
    smtpPort: await portOf(file, 'smtp'),
    clock,
  })
  return {
    mail: { url: simulator.smtpUrl, from: 'Payments API sandbox <no-reply@sandbox.example>' },
    mailboxUrl: simulator.mailboxUrl,
    close: () => simulator.close(),
  }
}
